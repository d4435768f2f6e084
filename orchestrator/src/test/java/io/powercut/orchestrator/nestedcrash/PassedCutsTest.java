// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.Verdict.Kind;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.persistency.states.CrashStates;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures in a row are one mistake, which begins at the first of them. */
class PassedCutsTest implements PassedCuts.Oracle {
  @TempDir private Path folder;
  private ProgramByHand program;
  private final Map<CrashImage, Kind> kinds = new HashMap<>();
  private final List<CrashImage> asked = new ArrayList<>();
  private final PassedCuts cuts = new PassedCuts(this);

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    kinds.keySet().forEach(CrashImage::close);
    program.close();
  }

  @Override
  public Verdict.Kind ask(CrashImage image) {
    asked.add(image);
    return kinds.getOrDefault(image, Kind.CONSISTENT);
  }

  @Override
  public Optional<Verdict.Kind> known(CrashImage image) {
    return Optional.of(kinds.getOrDefault(image, Kind.CONSISTENT));
  }

  private static CutRecovery.Point point(String step, int offset) {
    return new CutRecovery.Point(
        step, CallStack.of(Frame.of("app", offset, "f", "", 0)), Instruction.CLWB, 1);
  }

  private boolean pass(String step, int offset, Kind kind) throws IOException {
    CrashImage image = program.state().image();
    kinds.put(image, kind);
    return cuts.pass(
        point(step, offset),
        new CutRecovery.Left(
            image, CrashStates.NONE, List.of(), CutRecovery.Numbers.of(program.tables())));
  }

  @Test
  void failureShouldBeginAtTheFirstOfThoseInARow() throws IOException {
    pass("recover", 1, Kind.CONSISTENT);
    pass("recover", 2, Kind.UNRECOVERABLE);
    pass("recover", 3, Kind.UNRECOVERABLE);

    assertThat(cuts.failed(Kind.UNRECOVERABLE).point()).isEqualTo(point("recover", 2));
    assertThat(cuts.shown(point("recover", 3).stack().id()).orElseThrow().point())
        .isEqualTo(point("recover", 2));
    assertThat(cuts.shown(point("recover", 1).stack().id())).isEmpty();
    assertThat(cuts.shown(point("recover", 9).stack().id())).isEmpty();
  }

  /** A loop is wrong once. */
  @Test
  void failureShouldBeThatOfTheOccurrenceThatShowsIt() throws IOException {
    pass("recover", 1, Kind.UNRECOVERABLE);
    pass("recover", 1, Kind.CONSISTENT);

    assertThat(cuts.shown(point("recover", 1).stack().id())).isPresent();
  }

  @Test
  void otherKindShouldBeAnotherFailure() throws IOException {
    pass("recover", 1, Kind.CRASHED);
    pass("recover", 2, Kind.UNRECOVERABLE);

    assertThat(cuts.failed(Kind.UNRECOVERABLE).point()).isEqualTo(point("recover", 2));
  }

  @Test
  void nextFailurePointShouldBeInTheRow() throws IOException {
    assertThat(pass("recover", 1, Kind.UNRECOVERABLE)).isFalse();
    cuts.failed(Kind.UNRECOVERABLE);

    assertThat(pass("recover", 2, Kind.CONSISTENT)).isTrue();
    assertThat(pass("recover", 3, Kind.CONSISTENT)).isFalse();
  }

  /** Its images are closed. */
  @Test
  void otherStepShouldBeAnotherRow() throws IOException {
    pass("mount", 1, Kind.UNRECOVERABLE);
    cuts.failed(Kind.UNRECOVERABLE);

    assertThat(pass("recover", 2, Kind.UNRECOVERABLE)).isFalse();
    assertThat(cuts.failed(Kind.UNRECOVERABLE).point()).isEqualTo(point("recover", 2));
    assertThat(cuts.shown(point("mount", 1).stack().id())).isEmpty();
  }

  @Test
  void hangsShouldNotBeWaitedForAgain() throws IOException {
    pass("recover", 1, Kind.HUNG);
    pass("recover", 2, Kind.HUNG);

    assertThat(cuts.failed(Kind.HUNG).point()).isEqualTo(point("recover", 1));
    assertThat(asked).isEmpty();
    assertThat(pass("recover", 3, Kind.HUNG)).isFalse();
  }
}
