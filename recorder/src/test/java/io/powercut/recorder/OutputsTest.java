// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.OutputKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("programs")
class OutputsTest {
  @TempDir(factory = MemoryTempDir.class)
  private Path folder;

  private final Map<OutputKind, String> texts = new EnumMap<>(OutputKind.class);
  private final Map<String, Long> sizeOfPath = new HashMap<>();

  private void collect(TraceEvent event) {
    if (event instanceof TraceEvent.Output output) {
      texts.merge(
          output.kind(), StandardCharsets.UTF_8.decode(output.data()).toString(), String::concat);
      sizeOfPath.merge(output.path(), output.size(), Long::sum);
    }
  }

  private void run(boolean outputs, boolean recordEvents) throws IOException {
    RecordedRun run = new RecordedRun(folder.resolve("run"), Map.of());
    run.runWell(
        run.options().outputs(outputs).recordEvents(recordEvents).build(),
        "sh",
        "-e",
        "-c",
        "echo one; cat /nothing || true; echo three | cat; printf four > "
            + folder.resolve("file")
            + "; echo five > "
            + run.pm().resolve("pool")
            + "; printf sixsix");
    run.read(TraceEvent.consumer(this::collect));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTellWhatWentWhere(boolean recordEvents) throws IOException {
    run(true, recordEvents);

    assertThat(texts.remove(OutputKind.STANDARD_ERROR)).contains("/nothing");
    assertThat(texts)
        .isEqualTo(
            Map.of(
                OutputKind.STANDARD_OUTPUT,
                "one\nthree\nsixsix",
                OutputKind.PIPE,
                "three\n",
                OutputKind.FILE,
                "four"));
    assertThat(sizeOfPath).containsEntry(folder.resolve("file").toString(), 4L);
  }

  @Test
  void shouldTellNothingWhenNotAsked() throws IOException {
    run(false, true);

    assertThat(texts).isEmpty();
  }
}
