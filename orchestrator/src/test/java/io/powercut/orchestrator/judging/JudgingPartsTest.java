// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import io.powercut.image.CrashImage;
import io.powercut.oracle.CrashFrame;
import io.powercut.oracle.CrashStack;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.persistency.states.CrashState;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small parts of judging. */
class JudgingPartsTest {
  private static final CrashFrame KNOWN =
      new CrashFrame(
          "redo", Optional.of("redo.c"), OptionalInt.of(7), Optional.empty(), OptionalLong.empty());
  private static final CrashFrame UNKNOWN =
      new CrashFrame(
          "??", Optional.empty(), OptionalInt.empty(), Optional.of("app"), OptionalLong.of(0x1f));

  @TempDir private Path folder;

  private static StepResult step(String name, String printed) {
    return new StepResult(
        name, new Ending.Exited(0), printed, Duration.ZERO, Duration.ZERO, DataSize.ZERO);
  }

  @Test
  void judgementShouldSayWhatTheDecidingStepDid() {
    CrashStack stack =
        new CrashStack(
            List.of(KNOWN, UNKNOWN), Optional.empty(), "", Optional.empty(), Optional.empty());
    OracleResult result =
        new OracleResult(
            new Verdict.Crashed(new Signal(11), stack),
            List.of(step("redo", "fine"), step("check", "reading item 3")),
            Optional.empty());
    Judgement judgement =
        Judgements.of(ProgramByHand.at(4), result, Optional.of("images/4"), Optional.empty(), 1.25);

    assertThat(judgement.failurePointId()).isEqualTo(ProgramByHand.at(4).id());
    assertThat(judgement.kind()).isEqualTo(Verdict.Kind.CRASHED);
    assertThat(judgement.seen()).contains("SIGSEGV in redo at redo.c:7");
    assertThat(judgement.step()).isEqualTo("check");
    assertThat(judgement.output()).isEqualTo("reading item 3");
    assertThat(judgement.image()).contains("images/4");
    assertThat(judgement.recoveryStack())
        .containsExactly(
            new StackFrame("redo", "redo.c", 7, "", ""), new StackFrame("", "", 0, "app", "0x1f"));
  }

  @Test
  void judgementWithoutAnyStepShouldNameNone() {
    OracleResult result = new OracleResult(new Verdict.Consistent(), List.of(), Optional.empty());
    Judgement judgement =
        Judgements.of(
            new Occurrence(ProgramByHand.at(4).id(), 3),
            result,
            Optional.empty(),
            Optional.empty(),
            0);

    assertThat(judgement.occurrence()).isEqualTo(3);
    assertThat(judgement.step()).isEmpty();
    assertThat(judgement.output()).isEmpty();
    assertThat(judgement.recoveryStack()).isEmpty();
  }

  @Test
  void campaignShouldSayWhetherAFindingIsConfirmed() throws IOException {
    try (ProgramByHand program = new ProgramByHand(folder)) {
      assertThat(OracleChoices.of(program.campaign().oracle()).doubleCheck()).isTrue();
      assertThat(OracleChoices.of(program.campaign().oracle()).crashStacks()).isTrue();
    }
    assertThat(OracleChoices.ONCE.doubleCheck()).isFalse();
    assertThat(OracleChoices.ONCE.crashStacks()).isFalse();
  }

  /** A dump is the number of the question. */
  private static final class CountedDumps implements CrashImageJudge {
    private final List<String> asked = new ArrayList<>();
    private final FakeRecovery recovery = FakeRecovery.ofFlagAndValue();

    @Override
    public Judgement judge(Occurrence at, JudgedImages images) {
      return recovery.judge(at, images);
    }

    @Override
    public Judgement judge(Occurrence at, JudgedImages images, Path kept) {
      return recovery.judge(at, images, kept);
    }

    @Override
    public Judgement probe(Occurrence at, JudgedImages images) {
      return recovery.probe(at, images);
    }

    @Override
    public Dump dump(String of, JudgedImages images) {
      asked.add(of);
      return Dump.missing(of, "question " + asked.size());
    }
  }

  private static void assertOpen(CrashImage image) {
    assertThatCode(() -> image.with(CrashState.of(List.of())).close()).doesNotThrowAnyException();
  }

  private static void assertClosed(CrashImage image) {
    assertThatThrownBy(() -> image.with(CrashState.of(List.of())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void imagesAroundAPowerCutShouldBeDumpedOnceAndStayOpenAsLongAsOneNeedsThem() throws IOException {
    CountedDumps dumps = new CountedDumps();
    try (ProgramByHand program = new ProgramByHand(folder);
        RecordedImages places = RecordedImages.in(program.resources().area())) {
      CrashImage first = program.state().image();
      QuiescentPoint before = new QuiescentPoint("before", first, Optional.empty());
      program.store(2, 0, 0, 1);
      CrashImage second = program.state().image();
      QuiescentPoint after = new QuiescentPoint("after", second, Optional.empty());
      Between one = Between.of(before, after);
      Between other = Between.of(before, after);
      before.release();
      after.release();

      assertThat(one.images()).containsExactly(first.hash(), second.hash());
      ExpectedDumps expected = one.expected(dumps, places);
      one.close();
      assertOpen(first);
      assertOpen(second);
      assertThat(other.expected(dumps, places)).isEqualTo(expected);
      assertThat(dumps.asked).containsExactly("before", "after");
      other.close();
      assertClosed(first);
      assertClosed(second);
    }
  }

  @Test
  void imagesAroundAPowerCutShouldHaveWhatItLeavesOfIgnoredBytes() throws IOException {
    try (ProgramByHand program = new ProgramByHand(folder)) {
      QuiescentPoint before =
          new QuiescentPoint("before", program.state().image(), Optional.empty());
      program.store(2, 0, 0, 1).store(3, 1, 0, 7);
      CrashImage cut = program.state().image();
      program.store(4, 0, 0, 0);
      long second = Location.of(1, 64);
      RangeSet<Long> ignored = ImmutableRangeSet.of(Range.closedOpen(second, second + Long.BYTES));

      QuiescentPoint with = before.with(cut, ignored);

      assertThat(with.hash()).isEqualTo(program.state().hash()).isNotEqualTo(before.hash());
      assertThat(before.with(cut, ignored)).isSameAs(with);
      assertThat(before.with(cut, ImmutableRangeSet.of())).isSameAs(before);
      Between around = Between.of(with, before);
      before.release();
      cut.close();
      assertThat(around.images()).containsExactly(with.hash(), before.hash());
      around.close();
    }
  }
}
