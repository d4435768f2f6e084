// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlFileTest {
  @TempDir private Path directory;

  @Test
  void shouldTellNothingBeforeTheRecorderBegan() throws IOException {
    assertThat(ControlFile.read(directory)).isEmpty();
    Files.write(directory.resolve("control"), new byte[4096]);
    assertThat(ControlFile.read(directory)).isEmpty();
  }

  @Test
  void shouldTellOfARunningExecution() throws IOException {
    new TraceWriter(directory);
    ControlFile control = ControlFile.read(directory).orElseThrow();
    assertThat(control.ended()).isFalse();
    assertThat(control.stopped()).isEmpty();
    assertThat(control.error()).isEmpty();
    assertThat(control.chunkSize()).isEqualTo(TraceWriter.CHUNK_SIZE);
  }

  @Test
  void shouldTellWhereTheExecutionStoppedAndWhatWentWrong() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    writer
        .control()
        .putInt(TraceFormat.CONTROL_STOPPED, 1)
        .putInt(TraceFormat.CONTROL_STOP_STACK, 12)
        .putLong(TraceFormat.CONTROL_STOP_ID, -2)
        .putLong(TraceFormat.CONTROL_STORES, 5)
        .putInt(TraceFormat.CONTROL_MAPPED_FILES, 3)
        .putInt(TraceFormat.CONTROL_ERROR_KIND, TraceFormat.ERROR_INSTRUCTION)
        .put(TraceFormat.CONTROL_ERROR, "vmovdqa64 in é".getBytes(StandardCharsets.UTF_8));
    writer.writeControl();

    ControlFile control = ControlFile.read(directory).orElseThrow();

    assertThat(control.stopped()).contains(new ControlFile.Stop(new FailurePointId(-2), 12));
    assertThat(control.error())
        .contains(
            new ControlFile.RecorderError(ControlFile.ErrorKind.INSTRUCTION, "vmovdqa64 in é"));
    assertThat(control.counters().stores()).isEqualTo(5);
    assertThat(control.counters().mappedFiles()).isEqualTo(3);
  }

  @Test
  void howOftenFailurePointsWereReachedShouldBeKnownMeanwhile() throws IOException {
    assertThat(ControlFile.reached(directory)).as("nothing was recorded yet").isZero();

    TraceWriter writer = new TraceWriter(directory);
    writer.control().putLong(TraceFormat.CONTROL_FAILURE_POINTS, 9);
    writer.writeControl();
    assertThat(ControlFile.reached(directory)).isEqualTo(9);

    Files.writeString(directory.resolve("control"), "not a control file");
    assertThat(ControlFile.reached(directory)).isZero();
    assertThat(ControlFile.reached(directory.resolve("deleted"))).isZero();
  }
}
