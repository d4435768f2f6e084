// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.trace.Location;
import io.powercut.tree.CallStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores in flight, of which recovery reads the first. */
class StoreReadsTest {
  private static final long ALL = -1L;
  private static final long NONE = 0L;

  @TempDir private Path folder;
  private ProgramByHand program;
  private CrashPoint cut;
  private final StoreReads reads = new StoreReads();

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    program.store(10, 0, 0, 1).store(20, 1, 0, 1);
    cut = program.cut(30);
  }

  @AfterEach
  void close() throws IOException {
    cut.close();
    program.close();
  }

  private void watched(int times, Function<InFlightLine, Optional<Long>> read) {
    for (int time = 0; time < times; time++) {
      reads.add(cut.states().lines(), read, program.tables()::stack);
    }
  }

  private static Optional<Long> first(InFlightLine line) {
    return Optional.of(Location.offset(line.location()) == 0 ? ALL : NONE);
  }

  private CallStack storeAt(long offset) {
    return cut.states().lines().stream()
        .filter(line -> Location.offset(line.location()) == offset)
        .flatMap(line -> line.stores().stream())
        .map(store -> program.tables().stack(store.stack()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void storeShouldBeUnreadWhereEnoughRunsReadNoneOfIt() {
    watched(3, StoreReadsTest::first);
    assertThat(reads.isUnread(storeAt(64))).isFalse();
    watched(1, StoreReadsTest::first);

    assertThat(reads.isUnread(storeAt(64))).isTrue();
    assertThat(reads.isUnread(storeAt(0))).isFalse();
  }

  @Test
  void oneRunThatReadsItShouldCountMoreThanAllOthers() {
    watched(9, line -> Optional.of(NONE));
    watched(1, line -> Optional.of(ALL));
    watched(9, line -> Optional.of(NONE));

    assertThat(reads.isUnread(storeAt(64))).isFalse();
  }

  @Test
  void runThatWasNotWatchedThereShouldNotCount() {
    watched(9, line -> Optional.empty());

    assertThat(reads.isUnread(storeAt(0))).isFalse();
  }
}
