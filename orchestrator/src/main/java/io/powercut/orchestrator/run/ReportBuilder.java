package io.powercut.orchestrator.run;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.Report;
import io.powercut.orchestrator.report.Severity;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.Frame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges the tree and the verdicts into a report. */
final class ReportBuilder {
  private final Campaign campaign;
  private final Path campaignFile;
  private final RunDirectory directory;

  ReportBuilder(Campaign campaign, Path campaignFile, RunDirectory directory) {
    this.campaign = campaign;
    this.campaignFile = campaignFile;
    this.directory = directory;
  }

  Report build(
      FailurePointTree tree,
      Collection<Judgement> judgements,
      Map<String, Double> timings,
      Map<String, String> environment) {
    List<FailurePoint> failurePoints = tree.failurePoints();
    Map<String, Judgement> byId = new LinkedHashMap<>();
    judgements.forEach(judgement -> byId.put(judgement.failurePointId(), judgement));
    List<Judgement> known = inTreeOrder(failurePoints, byId);
    Map<Verdict.Kind, Long> kinds = countKinds(known);
    long unjudged = failurePoints.size() - known.size();
    boolean complete = unjudged == 0 && kinds.getOrDefault(Verdict.Kind.INCONCLUSIVE, 0L) == 0;
    List<Finding> findings = findings(failurePoints, byId);
    ExitCode exit =
        !findings.isEmpty()
            ? ExitCode.NEW_BUGS
            : complete ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
    long injected = known.stream().filter(judgement -> !judgement.step().isEmpty()).count();
    return new Report(
        Report.FORMAT,
        new Report.CampaignSummary(
            campaign.name(),
            campaignFile.toAbsolutePath().toString(),
            campaign.injection().toString(),
            campaign.failurePoints().granularity().toString()),
        new Report.Outcome(exit.code(), exit.meaning(), complete),
        new Report.FailurePoints(tree.occurrences(), failurePoints.size(), injected),
        new Report.Images(injected, distinctImages(known)),
        named(kinds),
        findings,
        inconclusive(known, unjudged),
        timings,
        environment);
  }

  private static List<Judgement> inTreeOrder(
      List<FailurePoint> failurePoints, Map<String, Judgement> byId) {
    List<Judgement> known = new ArrayList<>();
    for (FailurePoint failurePoint : failurePoints) {
      Judgement judgement = byId.get(failurePoint.id().toString());
      if (judgement != null) {
        known.add(judgement);
      }
    }
    return known;
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
  private static long distinctImages(List<Judgement> judgements) {
    List<Judgement> judged =
        judgements.stream().filter(judgement -> !judgement.step().isEmpty()).toList();
    long withoutHash = judged.stream().filter(one -> one.imageHash().isEmpty()).count();
    return withoutHash
        + judged.stream().flatMap(one -> one.imageHash().stream()).distinct().count();
  }

  private static Map<String, Long> inconclusive(List<Judgement> judgements, long unjudged) {
    Map<String, Long> reasons = new LinkedHashMap<>();
    for (Judgement judgement : judgements) {
      if (judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
        reasons.merge(judgement.seen(), 1L, Long::sum);
      }
    }
    if (unjudged > 0) {
      reasons.put("the run ended before they were judged", unjudged);
    }
    return reasons;
  }

  private List<Finding> findings(
      List<FailurePoint> failurePoints, Map<String, Judgement> judgements) {
    Map<String, Finding> findings = new LinkedHashMap<>();
    for (FailurePoint failurePoint : failurePoints) {
      Judgement judgement = judgements.get(failurePoint.id().toString());
      if (judgement != null && judgement.isBug()) {
        Finding finding = finding(failurePoint, judgement);
        findings.merge(finding.fingerprint(), finding, (first, next) -> first.again());
      }
    }
    return List.copyOf(findings.values());
  }

  private Finding finding(FailurePoint failurePoint, Judgement judgement) {
    return new Finding(
        judgement.kind().name(),
        Severity.BUG,
        Fingerprint.of(failurePoint.stack(), judgement.kind().name()).toString(),
        judgement.failurePointId(),
        1,
        failurePoint.instruction().label(),
        frames(failurePoint.stack()),
        judgement.seen(),
        judgement.output(),
        judgement.recoveryStack(),
        judgement.image(),
        replayCommand(failurePoint.id()));
  }

  /** A target's stack as reports show it, innermost first, without what starts a program. */
  static List<StackFrame> frames(CallStack stack) {
    return stack.framesOfProgram().stream().map(ReportBuilder::frame).toList();
  }

  private static StackFrame frame(Frame frame) {
    return new StackFrame(
        frame.function(),
        frame.file(),
        frame.line(),
        frame.module(),
        "0x" + Long.toHexString(frame.offset()));
  }

  private String replayCommand(FailurePointId id) {
    return "powercut replay " + quoted(directory.path().toString()) + " " + id;
  }

  private static String quoted(String path) {
    return path.matches("[A-Za-z0-9_./+:@%-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
