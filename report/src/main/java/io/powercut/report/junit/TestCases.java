// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Acceptance;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Text;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.Instruction;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The tests that a run is reported as: one that sums up the consistent failure points, one for each
 * other failure point, one for each finding beyond program order or after a crash during recovery,
 * one for each finding in the trace that fails the run or is accepted, and one for the run's
 * completeness.
 */
final class TestCases {
  private final ReportedRun run;

  /** By failure point. */
  private final Map<FailurePointId, Finding> findings;

  private final Map<String, Integer> timesSeen = new HashMap<>();
  private final List<TestCase> cases = new ArrayList<>();

  private TestCases(ReportedRun run) {
    this.run = run;
    this.findings = run.report().byFailurePoint();
  }

  static List<TestCase> of(ReportedRun run) {
    TestCases tests = new TestCases(run);
    tests.addConsistent();
    tests.addFailurePoints();
    tests.addStates();
    tests.addRecoveryCrashes();
    tests.addPatterns();
    tests.addCompleteness();
    return List.copyOf(tests.cases);
  }

  private String group(String analysis) {
    return run.report().campaign().name() + "." + analysis;
  }

  private void addConsistent() {
    List<Judgement> consistent =
        run.verdicts().values().stream()
            .filter(judgement -> judgement.kind() == Verdict.Kind.CONSISTENT)
            .toList();
    boolean nothing = !run.report().isTested();
    cases.add(
        new TestCase(
            group("injection"),
            "failure points with consistent images",
            consistent.stream().mapToDouble(Judgement::seconds).sum(),
            nothing ? TestCase.Outcome.FAILED : TestCase.Outcome.PASSED,
            "",
            nothing ? "the target reached no failure point, so nothing was tested" : "",
            "%d of %d failure points are consistent"
                .formatted(consistent.size(), run.report().failurePoints().unique())));
  }

  private void addFailurePoints() {
    for (FailurePoint point : run.tree().failurePoints()) {
      Optional<Judgement> verdict = run.verdict(point.id());
      verdict.filter(Judgement::isBug).ifPresent(judgement -> addBug(point, judgement));
      verdict
          .filter(judgement -> judgement.kind() == Verdict.Kind.INCONCLUSIVE)
          .ifPresent(judgement -> addInconclusive(point, judgement));
    }
  }

  private void addBug(FailurePoint point, Judgement judgement) {
    Optional<Finding> finding = Optional.ofNullable(findings.get(judgement.failurePointId()));
    String fingerprint =
        finding.map(Finding::fingerprint).orElseGet(() -> judgement.failurePointId().toString());
    Optional<Acceptance> accepted = finding.flatMap(Finding::accepted);
    cases.add(
        new TestCase(
            group("injection"),
            name(words(judgement), point, fingerprint),
            judgement.seconds(),
            outcome(finding.map(Finding::fails).orElse(true), accepted),
            judgement.kind().name(),
            accepted.map(TestCases::words).orElse(judgement.seen()),
            text(point, judgement)
                + "fingerprint: %s\n".formatted(fingerprint)
                + finding.map(shown -> "replay: " + replay(shown, judgement) + "\n").orElse("")));
  }

  private static String replay(Finding finding, Judgement judgement) {
    return finding.proofs().stream()
        .filter(Proof::isOfProgramOrder)
        .filter(proof -> proof.failurePointId().equals(judgement.failurePointId()))
        .filter(proof -> proof.occurrence() == judgement.occurrence())
        .map(Proof::replay)
        .findFirst()
        .orElse("failure point " + judgement.failurePointId());
  }

  private void addInconclusive(FailurePoint point, Judgement judgement) {
    String fingerprint = Fingerprint.of(point.stack(), judgement.kind().name()).toString();
    cases.add(
        new TestCase(
            group("injection"),
            name("not judged", point, fingerprint),
            judgement.seconds(),
            TestCase.Outcome.ERROR,
            judgement.kind().name(),
            judgement.seen(),
            text(point, judgement)));
  }

  /** Failure points of one finding have one fingerprint; they are counted. */
  private String name(String what, FailurePoint point, String fingerprint) {
    List<StackFrame> stack = TargetStack.of(point.stack());
    int time = timesSeen.merge(fingerprint, 1, Integer::sum);
    return what
        + " in "
        + (stack.isEmpty() ? run.tree().program() : function(stack.get(0)))
        + ", "
        + fingerprint
        + (time == 1 ? "" : ", " + time);
  }

  private static String function(StackFrame frame) {
    return frame.function().isEmpty() ? frame.module() : frame.function();
  }

  private static String words(Judgement judgement) {
    return judgement.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String words(Acceptance accepted) {
    return "accepted on " + accepted.date() + ": " + accepted.reason();
  }

  private static TestCase.Outcome outcome(boolean fails, Optional<Acceptance> accepted) {
    if (accepted.isPresent()) {
      return TestCase.Outcome.SKIPPED;
    }
    return fails ? TestCase.Outcome.FAILED : TestCase.Outcome.PASSED;
  }

  private static String text(FailurePoint point, Judgement judgement) {
    StringBuilder text = new StringBuilder(judgement.seen()).append('\n');
    append(
        "power cut before " + point.instruction().inWords(), TargetStack.of(point.stack()), text);
    append(judgement.recoveryEnd(), judgement.recoveryStack(), text);
    judgement
        .output()
        .lines()
        .forEach(line -> text.append("recovery said: ").append(line).append('\n'));
    return text.toString();
  }

  private static void append(String title, List<StackFrame> stack, StringBuilder text) {
    if (!stack.isEmpty()) {
      text.append(title).append(":\n");
      stack.forEach(frame -> text.append("  ").append(frame.text()).append('\n'));
    }
  }

  /** Those at a failure point whose program-order image is consistent: it passes by itself. */
  private void addStates() {
    for (Finding finding : run.report().findings()) {
      Optional<InjectionEvidence> proof = finding.injection();
      proof
          .flatMap(InjectionEvidence::state)
          .ifPresent(state -> addState(finding, proof.get(), state));
      proof
          .flatMap(InjectionEvidence::lostMetadata)
          .ifPresent(lost -> addMetadata(finding, proof.get(), lost));
    }
  }

  private void addState(Finding finding, InjectionEvidence proof, JudgedState state) {
    StringBuilder text = new StringBuilder(proof.seen()).append('\n');
    JudgedState.Shown shown = state.shown();
    shown.lost().forEach(store -> append("lost", store.store().stack(), text));
    shown.arrived().forEach(store -> append("persisted before it", store.store().stack(), text));
    if (shown.more() > 0) {
      text.append("and ")
          .append(Text.counted(shown.more(), "more store"))
          .append(" in report.json\n");
    }
    append("power cut before " + Instruction.inWords(proof.instruction()), proof.stack(), text);
    addProof(finding, proof, text, "crash-states");
  }

  private void addMetadata(Finding finding, InjectionEvidence proof, LostMetadata lost) {
    StringBuilder text = new StringBuilder(proof.seen()).append('\n');
    lost.calls().forEach(call -> append("lost: " + call.named(), call.stack(), text));
    append("power cut before " + Instruction.inWords(proof.instruction()), proof.stack(), text);
    addProof(finding, proof, text, "crash-states");
  }

  private void addProof(
      Finding finding, InjectionEvidence proof, StringBuilder text, String analysis) {
    append(proof.recoveryEnd(), proof.recoveryStack(), text);
    proof
        .output()
        .lines()
        .forEach(line -> text.append("recovery said: ").append(line).append('\n'));
    text.append("fingerprint: ").append(finding.fingerprint()).append('\n');
    text.append("replay: ").append(proof.replay()).append('\n');
    cases.add(
        new TestCase(
            group(analysis),
            caseName(finding),
            0,
            outcome(finding.fails(), finding.accepted()),
            finding.kind(),
            finding.accepted().map(TestCases::words).orElse(finding.title()),
            text.toString()));
  }

  /** In recovery on an image on which it succeeds: the failure point passes by itself. */
  private void addRecoveryCrashes() {
    for (Finding finding : run.report().findings()) {
      Optional<InjectionEvidence> proof = finding.injection();
      proof
          .flatMap(InjectionEvidence::recoveryCrash)
          .ifPresent(second -> addRecoveryCrash(finding, proof.get(), second));
    }
  }

  private void addRecoveryCrash(Finding finding, InjectionEvidence proof, RecoveryCrash second) {
    StringBuilder text = new StringBuilder(proof.seen()).append('\n');
    append("power cut before " + Instruction.inWords(proof.instruction()), proof.stack(), text);
    append("power cut again, " + second.inWords(), second.stack(), text);
    addProof(finding, proof, text, "second-crash");
  }

  private String caseName(Finding finding) {
    return "%s in %s, %s"
        .formatted(
            finding.kindInWords(),
            finding.stack().isEmpty() ? run.tree().program() : function(finding.stack().get(0)),
            finding.fingerprint());
  }

  private void addPatterns() {
    for (Finding finding : run.report().findings()) {
      if (finding.injection().isEmpty() && (finding.fails() || finding.accepted().isPresent())) {
        addPattern(finding);
      }
    }
  }

  private void addPattern(Finding finding) {
    StringBuilder text = new StringBuilder();
    for (PersistencyRace race : finding.races()) {
      text.append(race.seen()).append('\n').append(race.bytesInWords()).append('\n');
      append("stored by thread " + race.store().thread(), race.store().stack(), text);
      race.persist()
          .ifPresent(
              step -> append(race.end() + " by thread " + step.thread(), step.stack(), text));
      append("loaded by thread " + race.load().thread(), race.load().stack(), text);
      race.held().ifPresent(held -> text.append(held.inWords()).append('\n'));
    }
    for (DataRace race : finding.dataRaces()) {
      text.append(race.seen()).append('\n').append(race.objectInWords()).append('\n');
      append(
          (race.hasHolder() ? "holder: " : "") + race.first().inWords(),
          race.first().stack(),
          text);
      append(race.second().inWords(), race.second().stack(), text);
    }
    for (TraceEvidence pattern : finding.patterns()) {
      text.append(pattern.seen()).append('\n');
      for (TraceEvidence.Place place : pattern.places()) {
        append(place.role() + " (" + place.instruction() + ")", place.stack(), text);
      }
    }
    text.append("fingerprint: ").append(finding.fingerprint()).append('\n');
    cases.add(
        new TestCase(
            group(finding.severity() == Severity.RACE ? "races" : "patterns"),
            caseName(finding),
            0,
            outcome(finding.fails(), finding.accepted()),
            finding.kind(),
            finding.accepted().map(TestCases::words).orElse(finding.title()),
            text.toString()));
  }

  private void addCompleteness() {
    Report report = run.report();
    boolean complete = report.outcome().complete();
    StringBuilder text = new StringBuilder();
    report
        .inconclusive()
        .forEach((reason, count) -> text.append("%d not judged: %s\n".formatted(count, reason)));
    cases.add(
        new TestCase(
            group("run"),
            "everything was judged",
            0,
            complete ? TestCase.Outcome.PASSED : TestCase.Outcome.ERROR,
            complete ? "" : "INCOMPLETE",
            complete ? "" : "not everything was judged; the run can be resumed",
            text.toString()));
  }
}
