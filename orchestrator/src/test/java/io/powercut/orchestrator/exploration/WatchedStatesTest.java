// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovery that reads the first of two lines in flight. */
class WatchedStatesTest {
  private static final CrashState PROGRAM_ORDER = CrashState.of(List.of());

  private static final ImageReads FIRST_LINE =
      (path, offset) -> offset < 64 ? LineRead.ALL : LineRead.NONE;

  @TempDir private Path folder;
  private ProgramByHand program;
  private CrashPoint cut;
  private WatchedStates states;
  private CrashState withoutFirst;
  private CrashState withoutSecond;
  private CrashState withoutBoth;

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    program.store(10, 0, 0, 1).store(20, 1, 0, 1);
    cut = program.cut(30);
    RecoveryReads reads = (images, asked, effort) -> Optional.of(FIRST_LINE);
    states = at(new WatchedStates.Trust(Optional.of(reads)));
    withoutFirst = without(0);
    withoutSecond = without(64);
    withoutBoth =
        CrashState.of(
            List.of(withoutFirst.differences().get(0), withoutSecond.differences().get(0)));
  }

  @AfterEach
  void close() throws IOException {
    cut.close();
    program.close();
  }

  private WatchedStates at(WatchedStates.Trust trust) {
    return trust.at(cut.states(), cut.image());
  }

  private CrashState without(long offset) {
    CrashStates possible = cut.states();
    return possible.lines().stream()
        .filter(line -> (line.location() & 0xFFF) == offset)
        .map(line -> CrashState.of(List.of(line.prefixes().get(0))))
        .findFirst()
        .orElseThrow();
  }

  private boolean judged(Verdict.Kind kind) throws IOException {
    try (RecordedImages places = RecordedImages.in(program.resources().area())) {
      return states.judged(
          withoutSecond, Optional.empty(), kind, places.of(cut.image(), Optional.empty()));
    }
  }

  @Test
  void recoveryShouldSucceedOnWhatDiffersInUnreadLinesOnly() throws IOException {
    assertThat(states.succeedsOn(withoutSecond)).isFalse(); // Nothing is known.
    states.succeeded(PROGRAM_ORDER, FIRST_LINE);

    assertThat(states.succeedsOn(withoutFirst)).isFalse();
    assertThat(states.succeedsOn(withoutSecond)).isFalse(); // The first of 16 is judged.
    assertThat(judged(Verdict.Kind.CONSISTENT)).isTrue();
    assertThat(states.succeedsOn(withoutSecond)).isTrue();
    assertThat(states.succeedsOn(withoutBoth)).isFalse();
  }

  @Test
  void statesShouldBeAlikeWhereOneRunDecidesBoth() {
    states.succeeded(withoutFirst, FIRST_LINE);

    assertThat(states.areAlike(withoutFirst, withoutBoth)).isTrue();
    assertThat(states.areAlike(withoutFirst, PROGRAM_ORDER)).isFalse();
  }

  @Test
  void stateThatIsNotAsItWasKnownToBeShouldEndIt() throws IOException {
    states.succeeded(PROGRAM_ORDER, FIRST_LINE);
    assertThat(states.succeedsOn(withoutSecond)).isFalse();

    assertThat(judged(Verdict.Kind.UNRECOVERABLE)).isFalse();

    assertThat(states.succeedsOn(withoutSecond)).isFalse();
    assertThat(states.succeedsOn(withoutSecond)).isFalse();
    assertThat(states.areAlike(withoutSecond, PROGRAM_ORDER)).isFalse();
  }

  @Test
  void stateThatCouldNotBeJudgedShouldSayNothing() throws IOException {
    states.succeeded(PROGRAM_ORDER, FIRST_LINE);
    assertThat(states.succeedsOn(withoutSecond)).isFalse();

    assertThat(judged(Verdict.Kind.INCONCLUSIVE)).isTrue();

    assertThat(states.succeedsOn(withoutSecond)).isTrue();
  }

  @Test
  void nothingShouldBeKnownOfOthersWhereEachStateIsToBeJudged() {
    WatchedStates all = at(new WatchedStates.Trust(Optional.empty()));
    all.succeeded(PROGRAM_ORDER, FIRST_LINE);

    assertThat(all.watch()).isEmpty();
    assertThat(all.succeedsOn(withoutSecond)).isFalse();
    assertThat(all.succeedsOn(withoutSecond)).isFalse();
  }
}
