// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.Conditions;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recovery that reads the first of three lines, and wants the second one to be more than 1. */
class DecidingRunTest {
  private static final int BYTES = 1;
  private static final int CONSTANT = 0;
  private static final int COMPARED = 11;
  private static final int IS_ABOVE = 7;
  private static final int MOST_VISITS = 1000;

  @TempDir private Path folder;
  private ProgramByHand program;
  private CrashPoint point;
  private List<InFlightLine> lines;
  private DecidingRun run;

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    program.store(10, 0, 0, 1).store(11, 1, 0, 1).store(12, 1, 0, 2).store(13, 2, 0, 1);
    point = program.cut(30);
    lines = point.states().lines();
    run = run(CrashState.of(List.of()));
  }

  @AfterEach
  void close() throws IOException {
    point.close();
    program.close();
  }

  private DecidingRun run(CrashState state) {
    List<Conditions.Node> nodes =
        List.of(
            new Conditions.Node(BYTES, 0, 1, 0, 1, 2),
            new Conditions.Node(CONSTANT, 0, 0, 0, 0, 1),
            new Conditions.Node(COMPARED, IS_ABOVE, 1, 1, 2, 1));
    Conditions conditions = Conditions.of(List.of(ImageLine.of("pool", 64)), nodes);
    CompleteSearch.Reads reads =
        new CompleteSearch.Reads() {
          @Override
          public LineRead of(long location) {
            return Location.offset(location) == 0 ? new LineRead(1, 1) : LineRead.NONE;
          }

          @Override
          public Conditions conditions() {
            return conditions;
          }

          @Override
          public ImageLine line(long location) {
            return ImageLine.of("pool", Location.offset(location));
          }
        };
    return DecidingRun.of(state, reads, lines);
  }

  private CrashState losing(int line, int stores) {
    InFlightLine one = lines.get(line);
    return CrashState.of(List.of(one.losing(one.stores().get(one.stores().size() - stores))));
  }

  @Test
  void lineThatIsNotReadShouldNotMatter() {
    assertThat(run.decides(losing(2, 1))).isTrue();
    assertThat(run.decides(losing(0, 1))).isFalse();
  }

  @Test
  void conditionShouldHoldOnTheOtherState() {
    assertThat(run.decides(losing(1, 1))).as("it is 1").isFalse();
    assertThat(run.decides(losing(1, 2))).as("it is 0").isFalse();
    assertThat(run.decides(run.state())).isTrue();
  }

  @Test
  void searchShouldComeUponStatesThatNoRunDecides() {
    StateSpace space = StateSpace.of(lines, List.of(run)).orElseThrow();
    Optional<CrashState> open = space.search(List.of(run), MOST_VISITS).open();

    assertThat(open).isPresent();
    assertThat(run.decides(open.get())).isFalse();
    assertThat(space.isWhole()).as("it does not depend on the third line").isFalse();
  }

  @Test
  void searchShouldEndAtItsLimit() {
    StateSpace space = StateSpace.of(lines, List.of(run)).orElseThrow();

    assertThat(space.search(List.of(run), 1).visits()).isLessThanOrEqualTo(2);
    assertThat(space.search(List.of(run), 0).isGivenUp()).isTrue();
  }
}
