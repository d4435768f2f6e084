// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.FailurePointId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Recovery that fails wherever it is cut from one place on, and on another image from another. */
class FailuresInARowTest {
  private static final FailurePointId EARLY = new FailurePointId(1);
  private static final FailurePointId LATE = new FailurePointId(2);
  private static final FailurePointId ELSEWHERE = new FailurePointId(3);

  private static List<StackFrame> stack(String... functions) {
    return Arrays.stream(functions)
        .map(name -> new StackFrame(name, "app.c", 1, "app", "0x1"))
        .toList();
  }

  private static RecoveryCrashVerdicts line(
      long occurrence, String name, List<StackFrame> stack, Map<FailurePointId, String> failed) {
    RecoveryCrash cut = new RecoveryCrash(EARLY, 1, "recover", "clwb", stack);
    Judgement judgement = Judgement.inconclusive(new FailurePointId(9), "not of interest");
    assertThat(judgement.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    return new RecoveryCrashVerdicts(
        new FailurePointId(9),
        occurrence,
        "image " + occurrence,
        Map.of(),
        Map.of(),
        failed.entrySet().stream()
            .collect(Collectors.toMap(one -> one.getKey().toString(), Map.Entry::getValue)),
        1,
        1,
        List.of(new RecoveryCrashFinding(name, cut, judgement)),
        List.of(),
        Map.of(),
        true);
  }

  private static boolean areSame(
      List<StackFrame> one, List<StackFrame> other, FailurePointId otherLate) {
    return !FailuresInARow.of(
            List.of(
                line(1, "one", one, Map.of(EARLY, "one", LATE, "one")),
                line(2, "other", other, Map.of(otherLate, "other"))))
        .isEmpty();
  }

  @Test
  void thoseThatFailTogetherInOneFunctionShouldBeOneMistake() {
    assertThat(areSame(stack("redo", "main"), stack("redo", "main"), LATE)).isTrue();
  }

  @Test
  void functionShouldBeThatOfItsHelpers() {
    List<StackFrame> inHelper = stack("persist", "clear", "redo", "main");

    assertThat(areSame(stack("persist", "redo", "main"), inHelper, LATE)).isTrue();
    assertThat(areSame(inHelper, stack("persist", "redo", "main"), LATE)).isTrue();
  }

  @Test
  void functionsThatOneDrivesShouldHaveTheirOwn() {
    assertThat(areSame(stack("redo", "main"), stack("undo", "main"), LATE)).isFalse();
    assertThat(areSame(stack("redo", "recover", "main"), stack("main"), LATE)).isFalse();
  }

  @Test
  void thoseThatNeverFailTogetherShouldBeTwo() {
    assertThat(areSame(stack("redo", "main"), stack("redo", "main"), ELSEWHERE)).isFalse();
  }

  @Test
  void whatWasNotProvedShouldBeNothing() {
    RecoveryCrashVerdicts unproved =
        line(1, "one", stack("redo", "main"), Map.of(LATE, "never proved"));

    assertThat(
            FailuresInARow.of(
                    List.of(unproved, line(2, "other", stack("redo"), Map.of(LATE, "other"))))
                .isEmpty())
        .isTrue();
  }
}
