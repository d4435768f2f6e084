// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.ExitCode;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is printed of a measured oracle. */
class StrengthSummaryTest {
  private static final StackFrame FRAME = new StackFrame("put", "/src/app.c", 7, "app", "0x7");

  private static final FailurePointId ID = new FailurePointId(1);

  private static Mutant mutant(String function, Outcome outcome, int inconclusive) {
    Optional<Mutant.Catch> killed =
        outcome == Outcome.KILLED
            ? Optional.of(
                new Mutant.Catch(
                    ID, "clwb", List.of(FRAME), 1, Verdict.Kind.UNRECOVERABLE, "no", ""))
            : Optional.empty();
    return new Mutant(
        ID, "clwb", function, List.of(FRAME), 3, 2, outcome, 2, 5, 0, inconclusive, killed);
  }

  private static StrengthResult result(Mutant... mutants) {
    List<Mutant> all = List.of(mutants);
    return new StrengthResult(
        "app",
        4,
        100,
        FunctionScore.of("all", all),
        FunctionScore.byFunction(all),
        all,
        List.of(),
        1,
        2,
        17,
        1.5);
  }

  @Test
  void scoresShouldBeginWithTheLowest() {
    StrengthResult result =
        result(
            mutant("get", Outcome.KILLED, 0),
            mutant("put", Outcome.KILLED, 0),
            mutant("put", Outcome.SURVIVED, 0),
            mutant("put", Outcome.NO_COVERAGE, 0),
            mutant("none", Outcome.EQUIVALENT, 0));

    assertThat(result.functions())
        .extracting(FunctionScore::function)
        .containsExactly("put", "get");
    assertThat(result.functions().get(0).percent()).isEqualTo(33);
    assertThat(result.all().mutants()).isEqualTo(4);
    assertThat(result.exitCode()).isEqualTo(ExitCode.NOTHING_NEW);
  }

  @Test
  void survivorsShouldBeListedWithTheirPlaceAndReason() {
    List<String> lines =
        StrengthSummary.of(
            result(
                mutant("put", Outcome.SURVIVED, 0),
                mutant("put", Outcome.UNREAD, 0),
                mutant("put", Outcome.NOT_JUDGED, 2)));

    assertThat(lines)
        .anyMatch(line -> line.contains("without clwb in put, executed 3 times, 2 of these needed"))
        .anyMatch(line -> line.contains("5 states at 2 occurrences of failure points"))
        .anyMatch(line -> line.contains("reads nothing of what it persists, at 2 occurrences"))
        .anyMatch(line -> line.contains("2 states could not be judged"))
        .anyMatch(line -> line.contains("put at"))
        .anyMatch(line -> line.contains("2 more were not asked for"));
    assertThat(result(mutant("put", Outcome.NOT_JUDGED, 0)).exitCode())
        .isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void optionsShouldBeInRange() {
    assertThatThrownBy(
            () -> new StrengthOptions(0, Optional.empty(), Optional.empty(), Optional.empty()))
        .hasMessageContaining("states is 0");
    assertThatThrownBy(
            () -> new StrengthOptions(1, Optional.empty(), Optional.empty(), Optional.of(0)))
        .hasMessageContaining("limit is 0");
  }
}
