// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DumpComparisonTest {
  private static final Dump BEFORE = dump("after set-up", "1 a\n2 b\n");
  private static final Dump AFTER = dump("after a clean exit", "1 a\n2 b\n3 c\n4 d\n5 e\n");

  private static Dump dump(String of, String text) {
    return new Dump(of, Optional.of(text), "");
  }

  private static Verdict judge(Dump before, Dump after, String found) {
    return new DumpComparison(new ExpectedDumps(before, after))
        .judge(dump("after recovery", found));
  }

  @Test
  void contentsBeforeTheOperationAndBehindItShouldBeRight() {
    assertThat(judge(BEFORE, AFTER, "1 a\n2 b\n")).isInstanceOf(Verdict.Consistent.class);
    assertThat(judge(BEFORE, AFTER, "1 a\n2 b\n3 c\n4 d\n5 e\n"))
        .isInstanceOf(Verdict.Consistent.class);
  }

  @Test
  void anythingInBetweenShouldBeWrongAndShownBesideTheNearerOne() {
    Verdict nearBefore = judge(BEFORE, AFTER, "1 a\n");
    Verdict nearAfter = judge(BEFORE, AFTER, "1 a\n2 b\n3 c\n4 d\n");

    assertThat(nearBefore.kind()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(nearBefore)
        .isInstanceOfSatisfying(
            Verdict.WrongContents.class,
            wrong ->
                assertThat(wrong.difference()).startsWith("--- after set-up\n").endsWith("-2 b\n"));
    assertThat(nearAfter)
        .isInstanceOfSatisfying(
            Verdict.WrongContents.class,
            wrong ->
                assertThat(wrong.difference())
                    .contains("-5 e\n")
                    .contains("--- after a clean exit\n"));
    assertThat(nearBefore.describe())
        .contains("neither those after set-up nor those after a clean exit");
  }

  @Test
  void whatCannotBeComparedShouldBeNeitherRightNorWrong() {
    Dump missing = Dump.missing("after a clean exit", "recovery crashed");

    assertThat(judge(BEFORE, missing, "1 a\n2 b\n")).isInstanceOf(Verdict.Consistent.class);
    assertThat(judge(BEFORE, missing, "1 a\n"))
        .isInstanceOfSatisfying(
            Verdict.Inconclusive.class,
            unknown ->
                assertThat(unknown.reason()).contains("after a clean exit", "recovery crashed"));
    assertThat(
            new DumpComparison(new ExpectedDumps(BEFORE, AFTER))
                .judge(Dump.missing("after recovery", "too long")))
        .isInstanceOf(Verdict.Inconclusive.class);
  }
}
