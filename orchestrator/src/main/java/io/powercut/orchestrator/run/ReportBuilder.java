package io.powercut.orchestrator.run;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.Report;
import io.powercut.orchestrator.report.Severity;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.process.PowercutHome;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.Frame;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /**
   * Builds the report.
   *
   * @param treeIsWhole whether the target was seen to its end
   */
  Report build(
      FailurePointTree tree,
      boolean treeIsWhole,
      VerdictLog verdicts,
      Map<String, Double> timings,
      Map<String, String> environment) {
    List<FailurePoint> failurePoints = tree.failurePoints();
    List<Judgement> known =
        verdicts.all().stream()
            .filter(one -> tree.find(FailurePointId.parse(one.failurePointId())).isPresent())
            .toList();
    Map<Verdict.Kind, Long> kinds = countKinds(known);
    long unjudged = failurePoints.size() - failurePointsIn(known);
    boolean complete =
        treeIsWhole && unjudged == 0 && kinds.getOrDefault(Verdict.Kind.INCONCLUSIVE, 0L) == 0;
    List<Finding> findings = findings(failurePoints, verdicts);
    ExitCode exit =
        !findings.isEmpty()
            ? ExitCode.NEW_BUGS
            : complete ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
    List<Judgement> judged =
        known.stream().filter(judgement -> !judgement.step().isEmpty()).toList();
    return new Report(
        Report.FORMAT,
        new Report.CampaignSummary(
            campaign.name(),
            campaignFile.toAbsolutePath().toString(),
            campaign.injection().toString(),
            campaign.failurePoints().granularity().toString()),
        new Report.Outcome(exit.code(), exit.meaning(), complete),
        new Report.FailurePoints(tree.occurrences(), failurePoints.size(), failurePointsIn(judged)),
        new Report.Images(judged.size(), distinctImages(judged)),
        named(kinds),
        findings,
        inconclusive(known, unjudged),
        timings,
        environment);
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

  private List<Finding> findings(List<FailurePoint> failurePoints, VerdictLog verdicts) {
    Map<String, Finding> findings = new LinkedHashMap<>();
    for (FailurePoint failurePoint : failurePoints) {
      Optional<Judgement> bug =
          verdicts.find(failurePoint.id().toString()).filter(Judgement::isBug);
      if (bug.isPresent()) {
        Finding finding = finding(failurePoint, bug.get());
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
        replayCommand(judgement));
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

  private String replayCommand(Judgement judgement) {
    return quoted(PowercutHome.find().resolve("powercut").toString())
        + " replay "
        + quoted(directory.path().toString())
        + " "
        + judgement.failurePointId()
        + (judgement.visit() > 1 ? " --visit " + judgement.visit() : "");
  }

  private static String quoted(String path) {
    return path.matches("[A-Za-z0-9_./+:@%-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
