// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.Granularity;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bug suite, each program and variant run once with everything on and all policies that choose
 * crash states: bugs are found with exactly the stores to blame that the ground truth names, traces
 * have exactly its patterns of misuse, and correct twins have no bug, later occurrences included.
 * Then once more with the defaults, where these choose less.
 */
@Tag("campaign")
class CrashStateSuiteTest {
  private static final String BUG = "bug";
  private static final String CORRECT = "correct";

  /** How many states at a failure point, where recovery takes milliseconds and where longer. */
  private static final int MANY = 150;

  private static final int FEW = 15;

  /** Those that Powercut chooses. What there is time for is left out: it must not take luck. */
  private static final List<String> CHOSEN_OCCURRENCES =
      List.of("occurrences=null", "occurrences.share=0");

  private static final Map<Case, Workbench.Outcome> RUNS = new ConcurrentHashMap<>();

  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  /** One campaign. */
  record Case(BugTruth truth, String variant) {
    @Override
    public String toString() {
      return truth.name() + ", " + variant;
    }

    Workbench.Outcome runWithDefaults() {
      if (coversDefaults()) {
        return run();
      }
      List<String> overrides =
          new ArrayList<>(List.of("name=" + truth.name() + "-" + variant + "-defaults"));
      overrides.addAll(CHOSEN_OCCURRENCES);
      return run(overrides.toArray(String[]::new));
    }

    /** Whether the run with everything on judges all that the defaults would choose. */
    private boolean coversDefaults() {
      return (variant.equals(CORRECT) || truth.showsInProgramOrder()) && truth.library().isEmpty();
    }

    /** With everything on; a second test gets the outcome of the same run. */
    Workbench.Outcome run() {
      return RUNS.computeIfAbsent(this, Case::newRun);
    }

    private Workbench.Outcome newRun() {
      List<String> overrides =
          new ArrayList<>(
              List.of(
                  "name=" + truth.name() + "-" + variant,
                  "crashStates.persistedOnly=true",
                  "crashStates.oneLineLost=true",
                  "crashStates.earlyEviction=true",
                  "crashStates.sampled=20",
                  "crashStates.exhaustive=8",
                  "crashStates.perFailurePoint=" + (isSlow() ? FEW : MANY)));
      if (truth.library().isPresent()) {
        overrides.add("failurePoints.begin=run"); // opening a pool is long, and PMDK's own
      }
      if (coversDefaults()) {
        overrides.addAll(CHOSEN_OCCURRENCES);
      }
      return run(overrides.toArray(String[]::new));
    }

    /** Whose failure points are all those of the truth, and whose patterns leave some out. */
    Workbench.Outcome runForPatterns() {
      if (truth.exclude().isEmpty()) {
        return run();
      }
      return run(
          "name=" + truth.name() + "-" + variant + "-patterns",
          "failurePoints.begin=run",
          "failurePoints.exclude=" + truth.exclude().get(),
          "crashStates.enabled=false");
    }

    private Workbench.Outcome run(String... more) {
      Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
      List<String> overrides =
          new ArrayList<>(
              List.of(
                  "parameters.program=" + truth.name(),
                  "parameters.variant=" + variant,
                  "build=null",
                  // Without AVX-512, libpmem fences in the middle of a long copy unless told not
                  // to.
                  "environment.PMEM_WC_WORKAROUND=\"0\"",
                  "limits.parallel=1"));
      overrides.addAll(truth.cheaper());
      if (truth.verdict().equals(Verdict.Kind.HUNG.name())) {
        overrides.add("recovery.timeout=1s");
      }
      overrides.addAll(List.of(more));
      return workbench.run(workbench.load(file, overrides), file);
    }

    /** A table of thousands of entries is checked, or a pool of 8 MiB opened. */
    private boolean isSlow() {
      return truth.name().equals("late-growth") || truth.library().isPresent();
    }
  }

  static Stream<Case> bugs() {
    return BugTruth.all().stream()
        .filter(truth -> truth.lost().isPresent())
        .map(truth -> new Case(truth, BUG));
  }

  /** Those that no first occurrence of a failure point shows. */
  static Stream<Case> lateBugs() {
    return BugTruth.all().stream()
        .filter(truth -> truth.analysis().contains("later-crash-states"))
        .map(truth -> new Case(truth, BUG));
  }

  static Stream<Case> bugsOfProgramOrder() {
    return BugTruth.all().stream()
        .filter(BugTruth::showsInProgramOrder)
        .filter(truth -> truth.neededGranularity() == Granularity.PERSISTENCY)
        .map(truth -> new Case(truth, BUG));
  }

  static Stream<Case> correctTwins() {
    return BugTruth.all().stream().map(truth -> new Case(truth, CORRECT));
  }

  static Stream<Case> variants() {
    return BugTruth.all().stream()
        .flatMap(truth -> Stream.of(BUG, CORRECT).map(variant -> new Case(truth, variant)));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  @Execution(ExecutionMode.CONCURRENT)
  void bugShouldBeFoundWithTheStoresToBlame(Case one) {
    Workbench.Outcome outcome = one.run();

    Set<BugTruth.Lost> found = new HashSet<>();
    for (InjectionEvidence evidence : crashes(outcome)) {
      JudgedState state = evidence.state().orElseThrow();
      assertThat(state.smallest()).as("the search came to its end").isTrue();
      assertThat(evidence.verdict().name()).isEqualTo(one.truth().verdict());
      assertThat(lines(one.truth(), evidence.stack()))
          .as("the failure point")
          .containsAnyElementsOf(one.truth().marked("BUG-AT"));
      found.add(lost(one.truth(), state));
      assertBlameAndAdvice(state);
    }
    assertThat(found).isEqualTo(Set.copyOf(one.truth().lost().orElseThrow()));
    assertOneFindingForEachMistake(one.truth(), outcome);
    assertComplete(outcome);
  }

  /** BugSuiteTest has its places; here it is in a report. */
  @ParameterizedTest
  @MethodSource("bugsOfProgramOrder")
  @Execution(ExecutionMode.CONCURRENT)
  void bugOfProgramOrderShouldBeReported(Case one) {
    Workbench.Outcome outcome = one.run();

    assertOneFindingForEachMistake(one.truth(), outcome);
    assertThat(outcome.report().outcome().exitCode()).isEqualTo(1);
    assertComplete(outcome);
  }

  /** Nothing but warnings of the correct twins. */
  @ParameterizedTest
  @MethodSource("variants")
  @Execution(ExecutionMode.CONCURRENT)
  void patternsShouldBeExactlyThoseOfTheTruth(Case one) {
    PatternComparison comparison = PatternComparison.of(one.truth(), one.variant());

    comparison.assertExactly(one.runForPatterns().directory().patterns().orElseThrow());
    if (one.variant().equals(CORRECT)) {
      assertThat(comparison.expected())
          .extracting(BugTruth.ExpectedPattern::severity)
          .allMatch("warning"::equals);
    }
  }

  /** A lost store is proved to be a cause, and what is advised was tried. */
  private static void assertBlameAndAdvice(JudgedState state) {
    assertThat(state.lost().get(0).role()).as(state.remedy()).isEqualTo(JudgedState.Role.CAUSE);
    assertThat(state.advice()).as(state.remedy()).isPresent();
    assertThat(state.adviceVerified()).isTrue();
    assertThat(state.forgotten()).isZero();
  }

  /** What somebody gets who says nothing about crash states. */
  @ParameterizedTest
  @MethodSource("bugs")
  @Execution(ExecutionMode.CONCURRENT)
  void defaultsShouldFindTheBug(Case one) {
    Workbench.Outcome outcome = one.runWithDefaults();

    assertThat(crashes(outcome)).allMatch(crash -> crash.state().isPresent());
    assertOneFindingForEachMistake(one.truth(), outcome);
    assertComplete(outcome);
  }

  @ParameterizedTest
  @MethodSource("lateBugs")
  @Execution(ExecutionMode.CONCURRENT)
  void defaultsShouldFindALateBugThatFirstOccurrencesDoNotShow(Case one) {
    Workbench.Outcome outcome = one.runWithDefaults();

    assertThat(crashes(outcome)).hasSize(1);
    InjectionEvidence crash = crashes(outcome).get(0);
    assertThat(crash.occurrence()).isGreaterThan(1);
    assertThat(lines(one.truth(), crash.state().orElseThrow().lost().get(0).store().stack()))
        .anyMatch(line -> "number".equals(one.truth().places().get(line)));
    assertComplete(outcome);
    assertThat(crashes(one.run())).isEmpty();
  }

  /** Later occurrences and the end of the run included. */
  @ParameterizedTest
  @MethodSource("correctTwins")
  @Execution(ExecutionMode.CONCURRENT)
  void correctTwinShouldHaveNoBugByDefault(Case one) {
    Workbench.Outcome outcome = one.runWithDefaults();

    assertThat(crashes(outcome)).isEmpty();
    assertThat(outcome.report().outcome().exitCode()).isZero();
    assertComplete(outcome);
  }

  @ParameterizedTest
  @MethodSource("correctTwins")
  @Execution(ExecutionMode.CONCURRENT)
  void correctTwinShouldHaveNoBug(Case one) {
    Workbench.Outcome outcome = one.run();

    assertThat(crashes(outcome)).isEmpty();
    assertThat(outcome.report().outcome().exitCode()).isZero();
    assertComplete(outcome);
  }

  /** Not what the trace alone shows. */
  private static List<InjectionEvidence> crashes(Workbench.Outcome outcome) {
    return outcome.report().findings().stream()
        .map(Finding::injection)
        .flatMap(Optional::stream)
        .toList();
  }

  private static void assertOneFindingForEachMistake(BugTruth truth, Workbench.Outcome outcome) {
    assertThat(outcome.report().findings())
        .filteredOn(finding -> finding.injection().isPresent())
        .extracting(Finding::title)
        .hasSize(truth.mistakes().orElse(1));
  }

  private static void assertComplete(Workbench.Outcome outcome) {
    assertThat(outcome.report().inconclusive()).isEmpty();
    Workbench.requireComplete(outcome.report());
  }

  private static BugTruth.Lost lost(BugTruth truth, JudgedState state) {
    Set<String> names =
        state.lost().stream()
            .map(store -> lines(truth, store.store().stack()).findFirst().orElseThrow())
            .map(line -> truth.places().getOrDefault(line, "line " + line))
            .collect(Collectors.toSet());
    Set<String> missing =
        state.lost().stream().map(store -> store.missing().toString()).collect(Collectors.toSet());
    return new BugTruth.Lost(names, String.join("+", missing));
  }

  /** The lines of the program's own source, innermost first. */
  private static Stream<Integer> lines(BugTruth truth, List<StackFrame> stack) {
    return stack.stream()
        .filter(frame -> frame.file().endsWith("/" + truth.sourceName()))
        .map(StackFrame::line);
  }
}
