// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.replay.ReadLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("programs")
class ReadLinesTest {
  private static final String READ_100_TO_159 = "dd of=/dev/null bs=1 skip=100 count=60 if=";

  @TempDir(factory = MemoryTempDir.class)
  private Path folder;

  private RecordedRun runWith(Path file) throws IOException {
    RecordedRun run = new RecordedRun(folder.resolve("run"), Map.of());
    Path path = run.pm().resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, new byte[4096]);
    return run;
  }

  private static ReadLines linesReadBy(RecordedRun run, boolean recordEvents, String script)
      throws IOException {
    run.runWell(
        run.options().reads(true).recordEvents(recordEvents).build(),
        "sh",
        "-e",
        "-c",
        "cd " + run.pm() + "; " + script);
    ReadLines lines = new ReadLines();
    run.read(lines);
    return lines;
  }

  @Test
  void shouldHoldTheLinesThatWereReadAndNoOthers() throws IOException {
    ReadLines lines = linesReadBy(runWith(Path.of("pool")), true, READ_100_TO_159 + "pool");

    assertThat(lines.contains("pool", 63)).isFalse();
    assertThat(lines.contains("pool", 64)).isTrue();
    assertThat(lines.contains("pool", 100)).isTrue();
    assertThat(lines.contains("pool", 191)).isTrue();
    assertThat(lines.contains("pool", 192)).isFalse();
    assertThat(lines.contains("other", 100)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNameAFileByItsPathOfBeforeWhenDirectoriesWereRenamed(boolean recordEvents)
      throws IOException {
    ReadLines lines =
        linesReadBy(
            runWith(Path.of("old/inner/pool")),
            recordEvents,
            "mv old new; mv new/inner new/other; " + READ_100_TO_159 + "new/other/pool");

    assertThat(lines.contains("old/inner/pool", 100)).isTrue();
    assertThat(lines.contains("old/inner/pool", 192)).isFalse();
    assertThat(lines.contains("new/other/pool", 100)).isFalse();
  }

  @Test
  void shouldNameAFileByItsPathOfBeforeWhenItWasRenamed() throws IOException {
    ReadLines lines =
        linesReadBy(runWith(Path.of("pool")), false, "mv pool new; " + READ_100_TO_159 + "new");

    assertThat(lines.contains("pool", 100)).isTrue();
    assertThat(lines.contains("new", 100)).isFalse();
  }

  @Test
  void shouldHoldTheLinesOfAFileUnderEachOfItsNames() throws IOException {
    RecordedRun run = runWith(Path.of("pool"));
    Files.createLink(run.pm().resolve("twin"), run.pm().resolve("pool"));
    ReadLines lines = linesReadBy(run, false, READ_100_TO_159 + "pool");

    assertThat(lines.contains("twin", 100)).isTrue();
    assertThat(lines.contains("pool", 100)).isTrue();
    assertThat(lines.contains("pool", 192)).isFalse();
  }
}
