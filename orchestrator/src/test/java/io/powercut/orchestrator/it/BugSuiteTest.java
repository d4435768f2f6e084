package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.Granularity;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bug suite against its ground truth: every program, both variants, every kind of injection,
 * with images of program order.
 */
@Tag("campaign")
class BugSuiteTest {
  private static final String BUG = "bug";
  private static final String CORRECT = "correct";

  private static Workbench workbench;

  @BeforeAll
  static void build() {
    Workbench.make("bugs");
    workbench = Workbench.open();
  }

  @AfterAll
  static void leaveNothingBehind() {
    assertThat(workbench.filesLeft()).isEmpty();
    assertThat(workbench.processesLeft()).isEmpty();
    workbench.close();
  }

  /** One campaign. */
  record Case(BugTruth truth, String variant, Granularity granularity, InjectionMode injection) {
    @Override
    public String toString() {
      return truth.name() + ", " + variant + ", " + granularity + ", " + injection;
    }

    Workbench.Outcome run() {
      Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
      List<String> overrides =
          new ArrayList<>(
              List.of(
                  "parameters.program=" + truth.name(),
                  "parameters.variant=" + variant,
                  "name=" + truth.name() + "-" + variant,
                  "build=null",
                  "failurePoints.granularity=" + granularity,
                  "injection=" + injection,
                  "patterns.enabled=false", // PatternSuiteTest has those
                  "crashStates.enabled=false", // CrashStateSuiteTest has those
                  "limits.parallel=1"));
      if (truth.library().isPresent()) {
        overrides.add("failurePoints.begin=run"); // opening a pool is long, and PMDK's own
      }
      if (truth.verdict().equals(Verdict.Kind.HUNG.name())) {
        overrides.add("recovery.timeout=2s");
      }
      return workbench.run(workbench.load(file, overrides), file);
    }
  }

  private static Stream<Case> cases(BugTruth truth, String variant, Granularity granularity) {
    return Stream.of(InjectionMode.values())
        .map(injection -> new Case(truth, variant, granularity, injection));
  }

  static Stream<Case> bugsOfProgramOrder() {
    return BugTruth.all().stream()
        .filter(BugTruth::showsInProgramOrder)
        .flatMap(truth -> cases(truth, BUG, truth.neededGranularity()));
  }

  /**
   * Whether the verdicts of a run of its own are wanted. VerificationTest re-executes both variants
   * of all deterministic programs and compares images and verdicts with a recorded run's.
   */
  private static boolean isWanted(Case one) {
    return one.injection() == InjectionMode.RECORDED
        || one.truth().showsInProgramOrder()
        || !one.truth().deterministic().orElse(true);
  }

  static Stream<Case> bugsBeyondProgramOrder() {
    return BugTruth.all().stream()
        .filter(
            truth ->
                !truth.showsInProgramOrder()
                    || truth.neededGranularity() != Granularity.PERSISTENCY)
        .flatMap(truth -> cases(truth, BUG, Granularity.PERSISTENCY))
        .filter(BugSuiteTest::isWanted);
  }

  static Stream<Case> correctTwins() {
    return BugTruth.all().stream()
        .flatMap(
            truth ->
                Stream.of(Granularity.PERSISTENCY, truth.neededGranularity())
                    .distinct()
                    .flatMap(granularity -> cases(truth, CORRECT, granularity)))
        .filter(BugSuiteTest::isWanted);
  }

  @ParameterizedTest
  @MethodSource("bugsOfProgramOrder")
  @Execution(ExecutionMode.CONCURRENT)
  void bugShouldBeFoundAtEveryMarkedLineAndNowhereElse(Case one) {
    Workbench.Outcome outcome = one.run();

    Set<Integer> places = new HashSet<>();
    for (Judgement judgement : outcome.judgements()) {
      if (judgement.isBug()) {
        List<Frame> marked = markedFrames(one.truth(), stackOf(outcome, judgement));
        assertThat(marked)
            .as("%s at %s", judgement.seen(), judgement.failurePointId())
            .isNotEmpty();
        marked.forEach(frame -> places.add(frame.line()));
        assertThat(marked)
            .extracting(BugSuiteTest::plainFunction)
            .containsOnly(one.truth().function());
        assertVerdict(one.truth(), judgement);
      }
    }
    assertThat(places).isEqualTo(one.truth().marked("BUG-AT"));
    assertThat(outcome.report().outcome().exitCode()).isEqualTo(1);
    assertComplete(one, outcome);
  }

  @ParameterizedTest
  @MethodSource("bugsBeyondProgramOrder")
  @Execution(ExecutionMode.CONCURRENT)
  void bugThatTheseImagesCannotShowShouldNotBeClaimed(Case one) {
    Workbench.Outcome outcome = one.run();

    assertNoBug(outcome);
    assertComplete(one, outcome);
  }

  @ParameterizedTest
  @MethodSource("correctTwins")
  @Execution(ExecutionMode.CONCURRENT)
  void correctTwinShouldHaveNoBug(Case one) {
    Workbench.Outcome outcome = one.run();

    assertNoBug(outcome);
    assertComplete(one, outcome);
  }

  private static void assertVerdict(BugTruth truth, Judgement judgement) {
    assertThat(judgement.kind().name()).as(judgement.seen()).isEqualTo(truth.verdict());
    truth.signal().ifPresent(signal -> assertThat(judgement.seen()).contains(signal));
    truth
        .crash()
        .ifPresent(
            function ->
                assertThat(judgement.recoveryStack())
                    .as(judgement.seen())
                    .anyMatch(frame -> isCrash(truth, function, frame)));
  }

  private static boolean isCrash(BugTruth truth, String function, StackFrame frame) {
    return frame.function().equals(function)
        && Path.of(frame.file()).endsWith(truth.sourceName())
        && truth.marked("CRASH-AT").contains(frame.line());
  }

  private static List<Frame> stackOf(Workbench.Outcome outcome, Judgement judgement) {
    FailurePointId id = FailurePointId.parse(judgement.failurePointId());
    return outcome.tree().find(id).orElseThrow().stack().frames();
  }

  private static List<Frame> ownFrames(BugTruth truth, List<Frame> stack) {
    return stack.stream().filter(frame -> frame.file().endsWith("/" + truth.sourceName())).toList();
  }

  private static List<Frame> markedFrames(BugTruth truth, List<Frame> stack) {
    Set<Integer> marked = truth.marked("BUG-AT");
    return ownFrames(truth, stack).stream().filter(frame -> marked.contains(frame.line())).toList();
  }

  /** The function without its parameters and classes. */
  private static String plainFunction(Frame frame) {
    String name = frame.function().replaceFirst("\\(.*", "");
    return name.substring(name.lastIndexOf(':') + 1);
  }

  private static void assertNoBug(Workbench.Outcome outcome) {
    assertThat(outcome.judgements()).noneMatch(Judgement::isBug);
    assertThat(outcome.report().findings()).isEmpty();
    assertThat(outcome.report().outcome().exitCode()).isZero();
  }

  /** Every failure point was judged, and they are those of the truth. */
  private static void assertComplete(Case one, Workbench.Outcome outcome) {
    assertThat(outcome.report().inconclusive()).isEmpty();
    assertThat(outcome.report().outcome().complete()).isTrue();
    assertThat(outcome.judgements()).hasSize(outcome.tree().size()).isNotEmpty();
    if (one.granularity() == Granularity.PERSISTENCY) {
      one.truth()
          .failurePoints()
          .ifPresent(
              counts -> assertThat(outcome.tree().size()).isEqualTo(counts.get(one.variant())));
      one.truth()
          .tree()
          .ifPresent(tree -> assertThat(drawn(one.truth(), outcome)).isEqualTo(Set.copyOf(tree)));
    }
  }

  private static Set<List<String>> drawn(BugTruth truth, Workbench.Outcome outcome) {
    return outcome.tree().failurePoints().stream()
        .map(FailurePoint::stack)
        .map(
            stack ->
                ownFrames(truth, stack.frames()).stream()
                    .map(frame -> frame.function() + " " + truth.sourceName() + ":" + frame.line())
                    .toList())
        .collect(Collectors.toSet());
  }
}
