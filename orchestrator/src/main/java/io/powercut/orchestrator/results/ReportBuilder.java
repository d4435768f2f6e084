package io.powercut.orchestrator.results;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.report.Acceptance;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.ImageChanges;
import io.powercut.orchestrator.report.InjectionEvidence;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.Report;
import io.powercut.orchestrator.report.SecondCut;
import io.powercut.orchestrator.report.TargetStack;
import io.powercut.process.PowercutHome;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Fingerprint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Merges tree, verdicts and patterns of a run into its report. */
public final class ReportBuilder {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final RunFacts facts;
  private final FailurePointTree tree;
  private final VerdictLog verdicts;
  private final StateLog states;
  private final SecondLog second;
  private final ChangeLog changes;
  private final Optional<PatternLog> patterns;

  private ReportBuilder(
      Campaign campaign,
      RunDirectory directory,
      RunFacts facts,
      FailurePointTree tree,
      VerdictLog verdicts,
      StateLog states,
      SecondLog second,
      ChangeLog changes,
      Optional<PatternLog> patterns) {
    this.campaign = campaign;
    this.directory = directory;
    this.facts = facts;
    this.tree = tree;
    this.verdicts = verdicts;
    this.states = states;
    this.second = second;
    this.changes = changes;
    this.patterns = patterns;
  }

  /**
   * The report of what a run directory holds.
   *
   * @param campaign what was run
   * @throws NotTrustworthyException if a file of the run cannot be understood, or the run itself
   *     was not trustworthy
   * @throws WrongUsageException if the baseline cannot be understood
   */
  public static Report build(Campaign campaign, RunDirectory directory) {
    directory.requireTrustworthy();
    return new ReportBuilder(
            campaign,
            directory,
            directory.facts(),
            directory.tree(),
            VerdictLog.open(directory.verdictsFile()),
            StateLog.open(directory.statesFile()),
            SecondLog.open(directory.secondFile()),
            directory.changes(),
            directory.patterns())
        .build();
  }

  private Report build() {
    List<FailurePoint> failurePoints = tree.failurePoints();
    List<Judgement> known =
        verdicts.all().stream()
            .filter(one -> tree.find(FailurePointId.parse(one.failurePointId())).isPresent())
            .toList();
    Map<Verdict.Kind, Long> kinds = countKinds(known);
    long unjudged = failurePoints.stream().filter(this::isWanted).count() - wantedIn(known);
    Optional<Report.States> beyond =
        campaign.exploresStates()
            ? Optional.of(StateTotals.of(states.all(), known))
            : Optional.empty();
    Optional<Report.SecondCrashes> secondCrashes =
        campaign.cutsRecovery()
            ? Optional.of(SecondTotals.of(second.all(), known, campaign.secondCrash().images()))
            : Optional.empty();
    boolean complete =
        facts.treeIsWhole()
            && facts.missingParts().isEmpty()
            && unjudged == 0
            && beyond.map(totals -> totals.unexplored() == 0).orElse(true)
            && secondCrashes.map(totals -> totals.uncut() == 0).orElse(true)
            && kinds.getOrDefault(Verdict.Kind.INCONCLUSIVE, 0L) == 0
            && (patterns.isPresent() || !wantsPatterns());
    Baseline baseline = Baseline.read(campaign.baseline());
    List<Finding> findings = findings(baseline.of(campaign.name()));
    ExitCode exit =
        findings.stream().anyMatch(Finding::fails)
            ? ExitCode.NEW_BUGS
            : complete ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
    List<Judgement> judged =
        known.stream().filter(judgement -> !judgement.step().isEmpty()).toList();
    return new Report(
        Report.FORMAT,
        new Report.CampaignSummary(
            campaign.name(),
            facts.campaignFile(),
            campaign.injection().toString(),
            campaign.failurePoints().granularity().toString(),
            facts.started(),
            facts.targetBuildId(),
            facts.shard().map(Shard::toString)),
        new Report.Outcome(exit.code(), exit.meaning(), complete),
        new Report.FailurePoints(tree.occurrences(), failurePoints.size(), failurePointsIn(judged)),
        new Report.Images(judged.size(), distinctImages(judged)),
        named(kinds),
        beyond,
        secondCrashes,
        patterns.map(PatternLog::totals),
        findings,
        use(baseline, findings, complete),
        inconclusive(known, unjudged, beyond, secondCrashes),
        facts.timings(),
        facts.environment());
  }

  private boolean wantsPatterns() {
    return campaign.patterns().enabled() && facts.shard().map(Shard::looksForPatterns).orElse(true);
  }

  private boolean isWanted(FailurePoint failurePoint) {
    return facts.shard().map(shard -> shard.contains(failurePoint.id())).orElse(true);
  }

  private long wantedIn(List<Judgement> judgements) {
    return judgements.stream()
        .map(Judgement::failurePointId)
        .distinct()
        .map(id -> tree.find(FailurePointId.parse(id)))
        .flatMap(Optional::stream)
        .filter(this::isWanted)
        .count();
  }

  private static long failurePointsIn(List<Judgement> judgements) {
    return judgements.stream().map(Judgement::failurePointId).distinct().count();
  }

  private static Map<Verdict.Kind, Long> countKinds(List<Judgement> judgements) {
    Map<Verdict.Kind, Long> kinds = new LinkedHashMap<>();
    for (Judgement judgement : judgements) {
      kinds.merge(judgement.kind(), 1L, Long::sum);
    }
    return kinds;
  }

  private static Map<String, Long> named(Map<Verdict.Kind, Long> kinds) {
    Map<String, Long> named = new LinkedHashMap<>();
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      named.put(kind.name(), kinds.getOrDefault(kind, 0L));
    }
    return named;
  }

  /** Images without a hash count as different from all others. */
  private static long distinctImages(List<Judgement> judged) {
    long withoutHash = judged.stream().filter(one -> one.imageHash().isEmpty()).count();
    return withoutHash
        + judged.stream().flatMap(one -> one.imageHash().stream()).distinct().count();
  }

  private Map<String, Long> inconclusive(
      List<Judgement> judgements,
      long unjudged,
      Optional<Report.States> beyond,
      Optional<Report.SecondCrashes> secondCrashes) {
    Map<String, Long> reasons = new LinkedHashMap<>();
    for (Judgement judgement : judgements) {
      if (judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
        reasons.merge(judgement.seen(), 1L, Long::sum);
      }
    }
    long rest = unjudged;
    for (Shard part : facts.missingParts()) {
      long missing = unjudgedIn(part);
      reasons.put("part " + part + " was not merged", missing);
      rest -= missing;
    }
    if (rest > 0) {
      reasons.put("the run ended before they were judged", rest);
    }
    beyond
        .filter(totals -> totals.unexplored() > 0)
        .ifPresent(
            totals ->
                reasons.put(
                    "the run ended before their crash states were judged", totals.unexplored()));
    for (StateVerdicts one : states.all()) {
      one.inconclusive()
          .forEach(
              (reason, count) -> reasons.merge("crash states: " + reason, (long) count, Long::sum));
    }
    addUncut(secondCrashes, reasons);
    return reasons;
  }

  private void addUncut(Optional<Report.SecondCrashes> totals, Map<String, Long> reasons) {
    long explained = 0;
    for (SecondVerdicts one : second.all()) {
      explained += one.inconclusive().isEmpty() ? 0 : 1;
      one.inconclusive()
          .forEach(
              (reason, count) -> reasons.merge("second crash: " + reason, (long) count, Long::sum));
    }
    long rest = totals.map(Report.SecondCrashes::uncut).orElse(0L) - explained;
    if (rest > 0) {
      reasons.put("the run ended before recovery was cut on their images", rest);
    }
  }

  private long unjudgedIn(Shard part) {
    return tree.failurePoints().stream()
        .filter(point -> part.contains(point.id()))
        .filter(point -> verdicts.find(point.id().toString()).isEmpty())
        .count();
  }

  private List<Finding> findings(Map<String, Acceptance> accepted) {
    FindingMerge merge = new FindingMerge();
    for (FailurePoint failurePoint : tree.failurePoints()) {
      verdicts
          .find(failurePoint.id().toString())
          .filter(Judgement::isBug)
          .ifPresent(
              judgement ->
                  merge.add(
                      Fingerprint.of(failurePoint.stack(), judgement.kind().name()).toString(),
                      evidence(failurePoint, judgement, Optional.empty()),
                      judgement.imageHash()));
    }
    addStates(merge);
    addSecondCrashes(merge);
    patterns.stream()
        .flatMap(log -> log.patterns().stream())
        .filter(
            pattern ->
                campaign
                    .patterns()
                    .shows(pattern.evidence().severity(), pattern.evidence().pattern()))
        .forEach(merge::add);
    return FindingMerge.sorted(
        merge.findings().stream().map(finding -> judged(finding, accepted)).toList());
  }

  /** In the order of the tree: in which order they were found depends on the machine. */
  private void addStates(FindingMerge merge) {
    ListMultimap<FailurePointId, StateVerdicts> byFailurePoint = ArrayListMultimap.create();
    states.all().forEach(one -> byFailurePoint.put(one.at().id(), one));
    for (FailurePoint failurePoint : tree.failurePoints()) {
      byFailurePoint.get(failurePoint.id()).stream()
          .flatMap(one -> one.findings().stream())
          .forEach(
              judgement ->
                  merge.add(
                      judgement.state().orElseThrow().fingerprint(),
                      evidence(failurePoint, judgement, Optional.empty()),
                      judgement.imageHash()));
    }
    byFailurePoint.values().forEach(one -> one.again().forEach(merge::addAgain));
  }

  /** In the order of the tree, as well. */
  private void addSecondCrashes(FindingMerge merge) {
    ListMultimap<FailurePointId, SecondVerdicts> byFailurePoint = ArrayListMultimap.create();
    second.all().forEach(one -> byFailurePoint.put(one.at().id(), one));
    for (FailurePoint failurePoint : tree.failurePoints()) {
      byFailurePoint.get(failurePoint.id()).stream()
          .flatMap(one -> one.findings().stream())
          .forEach(
              finding ->
                  merge.add(
                      finding.fingerprint(),
                      evidence(failurePoint, finding.judgement(), Optional.of(finding.cut())),
                      finding.judgement().imageHash()));
    }
    byFailurePoint.values().forEach(one -> one.again().forEach(merge::addAgain));
  }

  private Finding judged(Finding finding, Map<String, Acceptance> accepted) {
    Optional<Acceptance> acceptance = Optional.ofNullable(accepted.get(finding.fingerprint()));
    return new Finding(
        finding.kind(),
        finding.severity(),
        acceptance.isEmpty()
            && campaign.failOn().stream()
                .anyMatch(failOn -> failOn.includes(finding.severity(), finding.kind())),
        finding.fingerprint(),
        finding.count(),
        finding.title(),
        finding.stack(),
        finding.evidence(),
        acceptance);
  }

  private InjectionEvidence evidence(
      FailurePoint failurePoint, Judgement judgement, Optional<SecondCut> cut) {
    return new InjectionEvidence(
        judgement.kind().name(),
        judgement.failurePointId(),
        judgement.visit(),
        1,
        failurePoint.instruction().label(),
        TargetStack.of(failurePoint.stack()),
        judgement.seen(),
        judgement.step(),
        judgement.output(),
        judgement.recoveryStack(),
        judgement.acknowledged(),
        judgement.image(),
        judgement.state(),
        cut,
        cut.isPresent() ? ImageChanges.UNKNOWN : changes.of(judgement.failurePointId()),
        replayCommand(judgement, cut));
  }

  /** What is gone can only be told when everything was looked at. */
  private Optional<Report.BaselineUse> use(
      Baseline baseline, List<Finding> findings, boolean complete) {
    if (!baseline.exists()) {
      return Optional.empty();
    }
    Set<String> seen = findings.stream().map(Finding::fingerprint).collect(Collectors.toSet());
    List<String> gone =
        complete && facts.shard().isEmpty()
            ? baseline.expected(campaign.name()).stream()
                .filter(fingerprint -> !seen.contains(fingerprint))
                .toList()
            : List.of();
    int accepted = (int) findings.stream().filter(one -> one.accepted().isPresent()).count();
    return Optional.of(new Report.BaselineUse(baseline.file().toString(), accepted, gone));
  }

  private String replayCommand(Judgement judgement, Optional<SecondCut> cut) {
    return quoted(PowercutHome.find().resolve("powercut").toString())
        + " replay "
        + quoted(directory.path().toString())
        + " "
        + judgement.failurePointId()
        + judgement
            .state()
            .map(state -> " --state " + state.id())
            .or(() -> cut.map(one -> " --second " + one.failurePointId()))
            .orElse(judgement.visit() > 1 ? " --visit " + judgement.visit() : "");
  }

  private static String quoted(String path) {
    return path.matches("[A-Za-z0-9_./+:@%-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
