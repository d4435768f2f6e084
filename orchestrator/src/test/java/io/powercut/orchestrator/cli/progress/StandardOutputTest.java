// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  @Test
  void outputThatIsWrittenShouldChangeNothing() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardOutput output = new StandardOutput(bytes, false);
    try (PrintStream stream = output.stream()) {
      stream.println("a line");
    }
    assertThat(bytes).hasToString("a line\n");
    assertThat(output.problem()).isEmpty();
    assertThat(output.exitCode(1)).isEqualTo(1);
  }

  @Test
  void fullDiskShouldBeSaid() throws IOException {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      StandardOutput output = new StandardOutput(full, false);
      output.stream().println("a line");
      assertThat(output.problem().orElseThrow())
          .startsWith("standard output could not be written, and is not complete: ");
      assertThat(output.exitCode(0)).isEqualTo(3);
      assertThat(output.exitCode(1)).isEqualTo(3);
      assertThat(output.exitCode(2)).isEqualTo(2);
    }
  }

  /** As {@code head} does. */
  @Test
  void readerMayEndBeforeTheOutput() throws IOException {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      StandardOutput output = new StandardOutput(full, true);
      output.stream().println("a line");
      assertThat(output.problem()).isEmpty();
      assertThat(output.exitCode(0)).isZero();
    }
  }
}
