// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.campaign.Campaign;
import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.format.Commands;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FailureReason;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.FormerFingerprint;
import io.powercut.report.knowledge.Knowledge;
import io.powercut.report.mistakes.Crash;
import io.powercut.report.rundir.ChangeLog;
import io.powercut.report.rundir.CodeLog;
import io.powercut.report.rundir.OccurrenceLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Merges tree, verdicts and patterns of a run into its report. */
public final class ReportBuilder {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final RunFacts facts;
  private final FailurePointTree tree;
  private final VerdictLog verdicts;
  private final StateLog states;
  private final RecoveryCrashLog second;
  private final ChangeLog changes;
  private final CodeLog code;
  private final Optional<PatternLog> patterns;
  private final Optional<RaceLog> races;

  private ReportBuilder(
      Campaign campaign,
      RunDirectory directory,
      RunFacts facts,
      FailurePointTree tree,
      VerdictLog verdicts,
      StateLog states,
      RecoveryCrashLog second,
      ChangeLog changes,
      CodeLog code,
      Optional<PatternLog> patterns,
      Optional<RaceLog> races) {
    this.campaign = campaign;
    this.directory = directory;
    this.facts = facts;
    this.tree = tree;
    this.verdicts = verdicts;
    this.states = states;
    this.second = second;
    this.changes = changes;
    this.code = code;
    this.patterns = patterns;
    this.races = races;
  }

  /**
   * The report of what a run directory holds.
   *
   * @param campaign what was run
   * @throws PowercutException if a file of the run cannot be understood, or the run itself was not
   *     trustworthy
   * @throws PowercutException if the baseline cannot be understood
   */
  public static Report build(Campaign campaign, RunDirectory directory) {
    directory.requireTrustworthy();
    directory.requireWhole();
    return new ReportBuilder(
            campaign,
            directory,
            directory.facts(),
            directory.tree(),
            VerdictLog.open(directory.verdictsFile()),
            StateLog.open(directory.statesFile()),
            RecoveryCrashLog.open(directory.recoveryCrashFile()),
            directory.changes(),
            directory.code(),
            directory.patterns(),
            directory.races())
        .build();
  }

  private Report build() {
    List<FailurePoint> failurePoints = tree.failurePoints();
    List<Judgement> known =
        verdicts.all().stream().filter(one -> tree.find(one.failurePointId()).isPresent()).toList();
    Map<Verdict.Kind, Long> kinds = countKinds(known);
    long unjudged = failurePoints.stream().filter(this::isWanted).count() - wantedIn(known);
    Optional<Report.States> beyond =
        campaign.exploresStates()
            ? Optional.of(StateTotals.of(states.all(), known))
            : Optional.empty();
    Optional<Report.RecoveryCrashes> recoveryCrashes =
        campaign.cutsRecovery()
            ? Optional.of(
                RecoveryCrashTotals.of(second.all(), known, campaign.recoveryCrash().images()))
            : Optional.empty();
    boolean isTested =
        !failurePoints.isEmpty()
            || beyond.filter(totals -> totals.judged() > 0).isPresent()
            || isOfAnotherPart(Occurrence.END.id());
    boolean judgedAll =
        facts.treeIsWhole()
            && facts.stopped().isEmpty()
            && isTested
            && facts.missingParts().isEmpty()
            && unjudged == 0
            && beyond.map(totals -> totals.unexplored() == 0).orElse(true)
            && recoveryCrashes.map(totals -> totals.uncut() == 0).orElse(true)
            && races.map(log -> !log.left().containsKey(RaceLog.LIMITS)).orElse(true)
            && kinds.getOrDefault(Verdict.Kind.INCONCLUSIVE, 0L) == 0;
    boolean complete = judgedAll && (patterns.isPresent() || !wantsPatterns());
    Baseline baseline = Baseline.read(campaign.baseline());
    List<Finding> findings = findings(baseline);
    ExitCode exit = exit(findings, isTested, complete);
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
        new Report.Outcome(exit.code(), meaning(exit, findings, judgedAll, complete), complete),
        new Report.FailurePoints(tree.occurrences(), failurePoints.size(), failurePointsIn(judged)),
        new Report.Images(judged.size(), distinctImages(judged)),
        named(kinds),
        beyond,
        recoveryCrashes,
        patterns.map(PatternLog::totals),
        races.map(log -> RaceTotals.of(log, findings)),
        directory.dataRaces().map(log -> RaceTotals.ofData(log, findings)),
        findings,
        directory.untested(),
        use(baseline, findings, complete),
        inconclusive(known, unjudged, beyond, recoveryCrashes),
        facts.controls(),
        facts.outside(),
        facts.timings(),
        facts.environment());
  }

  private ExitCode exit(List<Finding> findings, boolean isTested, boolean complete) {
    if (facts.stopped().isPresent()) {
      return ExitCode.NOT_TRUSTWORTHY;
    }
    if (findings.stream().anyMatch(Finding::fails)) {
      return ExitCode.NEW_BUGS;
    }
    if (facts.treeIsWhole() && !isTested) {
      return ExitCode.NOT_TRUSTWORTHY;
    }
    return complete ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
  }

  /** A run that fails may be incomplete as well: what is left may show more. */
  private String meaning(
      ExitCode exit, List<Finding> findings, boolean judgedAll, boolean complete) {
    if (exit == ExitCode.INCOMPLETE && judgedAll) {
      return "incomplete: everything was judged, but the search for patterns was abandoned";
    }
    String meaning = meaning(exit, findings);
    return exit == ExitCode.NEW_BUGS && !complete ? meaning + "; the run is incomplete" : meaning;
  }

  /** Bugs that make no run fail are still bugs. */
  private String meaning(ExitCode exit, List<Finding> findings) {
    long bugs = findings.stream().filter(one -> one.severity() == Severity.BUG).count();
    if (facts.stopped().isPresent()) {
      return "not trustworthy: " + facts.stopped().get();
    }
    if (exit == ExitCode.NOT_TRUSTWORTHY) {
      return "not trustworthy: nothing was tested, since the target reached no failure point";
    }
    List<Finding> failing = findings.stream().filter(Finding::fails).toList();
    if (exit == ExitCode.NEW_BUGS
        && failing.stream().noneMatch(one -> one.severity() == Severity.BUG)) {
      return "no new bug; new findings of another kind that failOn selects: " + failing.size();
    }
    if (exit != ExitCode.NOTHING_NEW || bugs == 0) {
      return exit.meaning();
    }
    long accepted =
        findings.stream()
            .filter(one -> one.severity() == Severity.BUG && one.accepted().isPresent())
            .count();
    List<String> why = new ArrayList<>();
    if (accepted > 0) {
      why.add(accepted + " accepted");
    }
    if (bugs > accepted) {
      why.add((bugs - accepted) + " not selected by failOn");
    }
    return "nothing new: everything asked for was done; %d known %s (%s)"
        .formatted(bugs, bugs == 1 ? "bug" : "bugs", String.join(", ", why));
  }

  private boolean wantsPatterns() {
    return campaign.patterns().enabled() && facts.shard().map(Shard::looksForPatterns).orElse(true);
  }

  private boolean isWanted(FailurePoint failurePoint) {
    return !isOfAnotherPart(failurePoint.id());
  }

  private boolean isOfAnotherPart(FailurePointId id) {
    return facts.shard().filter(shard -> !shard.contains(id)).isPresent();
  }

  private long wantedIn(List<Judgement> judgements) {
    return judgements.stream()
        .map(Judgement::failurePointId)
        .distinct()
        .map(tree::find)
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
      Optional<Report.RecoveryCrashes> recoveryCrashes) {
    Map<String, Long> reasons = new LinkedHashMap<>();
    for (Judgement judgement : judgements) {
      if (judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
        reasons.merge(judgement.seen(), 1L, Long::sum);
      }
    }
    long rest = unjudged;
    for (Shard part : facts.missingParts()) {
      long missing = unjudgedIn(part);
      reasons.put("part " + part + lookedFor(part) + " was not merged", missing);
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
    addUncut(recoveryCrashes, reasons);
    return reasons;
  }

  /** What else is missing with a part: one of them looks for all others. */
  private String lookedFor(Shard part) {
    boolean isWanted =
        campaign.patterns().enabled()
            || campaign.races().enabled()
            || campaign.dataRaces().isPresent();
    boolean isThere =
        patterns.isPresent() || races.isPresent() || directory.dataRaces().isPresent();
    return isWanted && part.looksForPatterns() && !isThere
        ? ", which looks for patterns and races for all,"
        : "";
  }

  private void addUncut(Optional<Report.RecoveryCrashes> totals, Map<String, Long> reasons) {
    long explained = 0;
    for (RecoveryCrashVerdicts one : second.all()) {
      explained += one.inconclusive().isEmpty() ? 0 : 1;
      one.inconclusive()
          .forEach(
              (reason, count) ->
                  reasons.merge("crash during recovery: " + reason, (long) count, Long::sum));
    }
    long rest = totals.map(Report.RecoveryCrashes::uncut).orElse(0L) - explained;
    if (rest > 0) {
      reasons.put("the run ended before recovery was crashed on their images", rest);
    }
  }

  private long unjudgedIn(Shard part) {
    return tree.failurePoints().stream()
        .filter(point -> part.contains(point.id()))
        .filter(point -> verdicts.find(point.id()).isEmpty())
        .count();
  }

  private List<Finding> findings(Baseline baseline) {
    FindingMerge merge = new FindingMerge(Knowledge.of(campaign.knowledge()));
    Windows windows = new Windows(tree, verdicts.all());
    addProgramOrder(merge, windows);
    addStates(merge, windows);
    addRecoveryCrashes(merge);
    patterns.stream()
        .flatMap(log -> log.patterns().stream())
        .filter(
            pattern ->
                campaign
                    .patterns()
                    .shows(pattern.evidence().severity(), pattern.evidence().pattern()))
        .forEach(merge::add);
    races.stream().flatMap(log -> log.races().stream()).map(this::checked).forEach(merge::add);
    directory.dataRaces().stream().flatMap(log -> log.races().stream()).forEach(merge::add);
    List<Finding> findings = merge.findings();
    ProofCheck.require(findings, verdicts.all(), states.history(), second.history());
    return FindingMerge.sorted(
        findings.stream().map(finding -> judged(finding, baseline)).toList());
  }

  /** Where a run was cut short, what it chose may not have been tried. */
  private RaceLog.Found checked(RaceLog.Found race) {
    List<Occurrence> tried =
        race.evidence().tries().stream()
            .filter(
                at ->
                    states.find(at).filter(line -> line.complete() && line.total() > 0).isPresent())
            .toList();
    return new RaceLog.Found(
        race.fingerprint(),
        tried.isEmpty() ? untried(race.evidence()) : race.evidence().triedAt(tried));
  }

  private PersistencyRace untried(PersistencyRace race) {
    boolean isBroken =
        race.tries().stream()
            .anyMatch(
                cut ->
                    verdicts.all().stream()
                        .anyMatch(verdict -> verdict.isBug() && verdict.cut().equals(cut)));
    PersistencyRace untried = race.triedAt(Optional.empty());
    return race.held()
        .filter(order -> isBroken)
        .map(order -> untried.heldIn(order.with(HeldOrder.BROKEN)))
        .orElse(untried);
  }

  private void addProgramOrder(FindingMerge merge, Windows windows) {
    CodePlaces now = new CodePlaces(module -> Optional.empty());
    for (Judgement judgement : verdicts.all()) {
      if (judgement.isBug()) {
        List<StackFrame> stack = stack(judgement);
        String innermost = now.of(stack);
        String place = code.find(judgement.failurePointId()).orElse(innermost);
        merge.add(
            crash(
                FindingIdentity.ofProgramOrder(place, judgement),
                Stream.of(
                        FindingIdentity.formerlyOfProgramOrder(place, judgement).stream(),
                        Stream.of(FindingIdentity.ofProgramOrder(innermost, judgement))
                            .filter(former -> !innermost.equals(place)),
                        Stream.of(FormerFingerprint.of(judgement.kind().name(), stack)))
                    .flatMap(fingerprints -> fingerprints)
                    .toList(),
                evidence(judgement, Optional.empty()),
                judgement,
                windows));
      }
    }
  }

  /** In the order of the tree: in which order they were found depends on the machine. */
  private void addStates(FindingMerge merge, Windows windows) {
    for (StateVerdicts line : inOrder(states.proved())) {
      for (Judgement judgement : line.findings()) {
        merge.add(
            crash(
                judgement.stateFingerprint().orElseThrow(),
                judgement.state().stream()
                    .map(
                        state -> FormerFingerprint.ofLostStore(state.lost().get(0).store().stack()))
                    .toList(),
                evidence(judgement, Optional.empty()),
                judgement,
                windows));
      }
      addAgain(merge, line.again(), line.at());
    }
  }

  private void addRecoveryCrashes(FindingMerge merge) {
    Windows none = new Windows(tree, List.of());
    List<RecoveryCrashVerdicts> lines = inOrder(second.history());
    FailuresInARow.of(lines).forEach(merge::join);
    for (RecoveryCrashVerdicts line : lines) {
      for (RecoveryCrashFinding finding : line.findings()) {
        merge.add(
            crash(
                finding.fingerprint(),
                former(finding),
                evidence(finding.judgement(), Optional.of(finding.cut())),
                finding.judgement(),
                none));
      }
      addAgain(merge, line.again(), line.at());
    }
  }

  private static List<String> former(RecoveryCrashFinding finding) {
    if (finding.judgement().state().isPresent()) {
      return List.of();
    }
    List<StackFrame> stack = finding.cut().stack();
    String ofInnermost =
        new FindingIdentity(new CodePlaces(module -> Optional.empty())).ofRecoveryCrash(stack);
    return Stream.of(ofInnermost, FormerFingerprint.ofRecoveryCrash(stack))
        .filter(former -> !former.equals(finding.fingerprint()))
        .toList();
  }

  private void addAgain(FindingMerge merge, List<String> again, Occurrence occurrence) {
    again.forEach(
        fingerprint ->
            merge.addAgain(Proof.again(fingerprint, occurrence, stack(occurrence.id()))));
  }

  private <T extends OccurrenceLog.Line> List<T> inOrder(List<T> lines) {
    Map<FailurePointId, Integer> positions = new HashMap<>();
    tree.failurePoints().forEach(point -> positions.put(point.id(), positions.size()));
    return lines.stream()
        .sorted(
            Comparator.comparing((T line) -> positions.getOrDefault(line.at().id(), tree.size()))
                .thenComparing(line -> line.at().number()))
        .toList();
  }

  private static Crash crash(
      String fingerprint,
      List<String> former,
      InjectionEvidence evidence,
      Judgement judgement,
      Windows windows) {
    Optional<Long> ordinal = judgement.order() == 0 ? windows.ordinal(judgement) : Optional.empty();
    return new Crash(
        Proof.of(fingerprint, evidence),
        former,
        evidence,
        judgement.imageHash(),
        ordinal,
        ordinal.map(windows::at),
        FailureReason.of(judgement));
  }

  private List<StackFrame> stack(Judgement judgement) {
    return stack(judgement.failurePointId());
  }

  /** A run that was killed may know of a bug at a failure point that its tree does not have yet. */
  private List<StackFrame> stack(FailurePointId id) {
    return point(id).map(point -> TargetStack.of(point.stack())).orElse(List.of());
  }

  private Optional<FailurePoint> point(FailurePointId id) {
    return id.equals(Occurrence.END.id()) ? Optional.of(FailurePoint.END_OF_RUN) : tree.find(id);
  }

  private Finding judged(Finding finding, Baseline baseline) {
    Optional<Acceptance> acceptance = baseline.acceptance(campaign.name(), finding);
    return finding.judged(
        acceptance.isEmpty()
            && finding.explained().isEmpty()
            && campaign.failOn().stream()
                .anyMatch(
                    failOn ->
                        finding.kinds().stream()
                            .anyMatch(kind -> failOn.includes(finding.severity(), kind))),
        acceptance);
  }

  private InjectionEvidence evidence(Judgement judgement, Optional<RecoveryCrash> cut) {
    return new InjectionEvidence(
        judgement.kind(),
        judgement.failurePointId(),
        judgement.occurrence(),
        judgement.order(),
        1,
        point(judgement.failurePointId()).map(point -> point.instruction().label()).orElse(""),
        stack(judgement),
        judgement.seen(),
        judgement.step(),
        judgement.output(),
        judgement.recoveryStack(),
        judgement.acknowledged(),
        judgement.image(),
        judgement.state(),
        cut,
        changes(judgement, cut).withTooEarly(judgement.tooEarly()),
        replayCommand(judgement, cut),
        cut.isPresent() && judgement.state().isEmpty() ? Optional.empty() : judgement.timeline(),
        judgement.lostMetadata());
  }

  private ImageChanges changes(Judgement judgement, Optional<RecoveryCrash> cut) {
    return cut.isPresent() || judgement.order() > 0 || judgement.lostMetadata().isPresent()
        ? ImageChanges.UNKNOWN
        : changes.of(judgement.cut());
  }

  /** What is gone is known only if everything was judged. */
  private Optional<Report.BaselineUse> use(
      Baseline baseline, List<Finding> findings, boolean complete) {
    if (!baseline.exists()) {
      return Optional.empty();
    }
    List<String> gone =
        complete && facts.shard().isEmpty() ? baseline.gone(campaign.name(), findings) : List.of();
    int accepted = (int) findings.stream().filter(one -> one.accepted().isPresent()).count();
    return Optional.of(
        new Report.BaselineUse(
            baseline.file().toString(), accepted, gone, Baseline.former(findings)));
  }

  private String replayCommand(Judgement judgement, Optional<RecoveryCrash> cut) {
    return Commands.replay(
        directory.path(),
        judgement.failurePointId()
            + judgement.stateId().map(" --state "::concat).orElse("")
            + cut.map(one -> " --recovery-crash " + one.place())
                .orElse(judgement.occurrence() > 1 ? " --occurrence " + judgement.occurrence() : "")
            + (judgement.order() > 0 ? " --order " + judgement.order() : ""));
  }
}
