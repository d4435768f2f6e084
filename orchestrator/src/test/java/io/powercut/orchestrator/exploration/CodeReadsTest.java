// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeReadsTest {
  @TempDir private Path folder;
  private ProgramByHand program;
  private final CodeReads reads = new CodeReads();

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private void recover(ToLongFunction<Integer> readOfLine) throws IOException {
    try (CrashPoint cut = program.cut(30)) {
      reads.add(
          cut.states().lines(),
          line -> readOfLine.applyAsLong((int) (Location.offset(line.location()) / 64)));
    }
  }

  /** The code of the only store to a line. */
  private Predicate<StoreCode> codeOf(int line) throws IOException {
    try (CrashPoint cut = program.cut(30)) {
      InFlightLine found =
          cut.states().lines().stream()
              .filter(one -> Location.offset(one.location()) == 64L * line)
              .findFirst()
              .orElseThrow();
      return found.stores().get(0).code()::equals;
    }
  }

  @Test
  void recoveriesThatReadNothingOfCodeShouldBeCounted() throws IOException {
    program.store(10, 0, 0, 1).store(20, 1, 2, 1);
    recover(line -> line == 0 ? -1 : 0);
    recover(line -> 0);

    assertThat(reads.withoutRead(codeOf(1))).isEqualTo(2);
    assertThat(reads.withoutRead(codeOf(0))).isZero();
  }

  @Test
  void otherBytesOfTheLineShouldNotCount() throws IOException {
    program.store(10, 0, 0, 1).store(20, 0, 2, 1);
    recover(line -> 0xff);
    try (CrashPoint cut = program.cut(30)) {
      InFlightLine line = cut.states().lines().get(0);
      assertThat(reads.withoutRead(line.stores().get(0).code()::equals)).isZero();
      assertThat(reads.withoutRead(line.stores().get(1).code()::equals)).isOne();
    }
  }

  @Test
  void nothingShouldBeSaidOfCodeThatWasNeverInFlight() throws IOException {
    program.store(10, 0, 0, 1);
    Predicate<StoreCode> code = codeOf(0);
    program.persist(11, 0);
    recover(line -> 0);

    assertThat(reads.withoutRead(code)).isZero();
  }

  @Test
  void storeOfWhatWasThereShouldSayNothing() throws IOException {
    program.store(10, 0, 0, 0);
    recover(line -> 0);

    assertThat(reads.withoutRead(codeOf(0))).isZero();
  }
}
