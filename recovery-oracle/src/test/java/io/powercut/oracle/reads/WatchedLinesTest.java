// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("programs")
class WatchedLinesTest {
  private static final long ALL = -1;

  @TempDir private Path folder;

  private CommandResult run(CommandSpec command) {
    try (Supervisor supervisor = Supervisor.start()) {
      return supervisor.run(command);
    }
  }

  private Path file(int lines) throws IOException {
    return Files.write(folder.resolve("pm"), new byte[lines * FileLine.SIZE]);
  }

  private static CommandSpec command(Object... words) {
    String[] arguments = new String[words.length];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = words[i].toString();
    }
    return CommandSpec.command(arguments).timeLimit(Duration.ofSeconds(20)).build();
  }

  @Test
  void onlyWhatACommandReadsShouldBeRead() throws IOException {
    Path file = file(10);
    FileLine first = FileLine.of(file, 3);
    FileLine fifth = FileLine.of(file, 5 * FileLine.SIZE);
    WatchedLines lines =
        WatchedLines.create(folder.resolve("lines"), Map.of(first, ALL, fifth, ALL), Effort.USUAL);
    run(lines.watch(command("dd", "if=" + file, "bs=64", "skip=5", "count=1", "status=none")));
    WatchedLines.Answer answer = lines.answer(1).orElseThrow();

    assertThat(answer.isRead(fifth)).isTrue();
    assertThat(answer.isRead(first)).isFalse();
    assertThat(answer.reason()).isEmpty();
    assertThat(answer.isRead(FileLine.of(file, 64))).as("a line that is not watched").isTrue();
  }

  @Test
  void nextCommandShouldAddToIt() throws IOException {
    Path file = file(10);
    FileLine first = FileLine.of(file, 0);
    WatchedLines lines =
        WatchedLines.create(folder.resolve("lines"), Map.of(first, ALL), Effort.USUAL);
    run(lines.watch(command("true")));
    assertThat(lines.answer(1).orElseThrow().isRead(first)).isFalse();
    assertThat(lines.answer(1)).as("no command ran since").isEmpty();
    run(lines.watch(command("head", "-c", "1", file)));
    assertThat(lines.answer(1).orElseThrow().isRead(first)).isTrue();
    run(lines.watch(command("true")));

    assertThat(lines.answer(1).orElseThrow().isRead(first)).isTrue();
  }

  @Test
  void endingShouldBeThatOfTheCommand() throws IOException {
    WatchedLines lines =
        WatchedLines.create(
            folder.resolve("lines"), Map.of(FileLine.of(file(1), 0), ALL), Effort.USUAL);

    assertThat(run(lines.watch(command("sh", "-c", "exit 7"))).ending())
        .isEqualTo(new Ending.Exited(7));
    assertThat(run(lines.watch(command("sh", "-c", "kill -SEGV $$"))).ending())
        .isEqualTo(new Ending.Signalled(new Signal(11)));
    assertThat(lines.answer(2)).isPresent();
  }

  @Test
  void nothingShouldBeKnownOfACommandThatDidNotStartOrEnd() throws IOException {
    WatchedLines lines =
        WatchedLines.create(
            folder.resolve("lines"), Map.of(FileLine.of(file(1), 0), ALL), Effort.USUAL);
    run(lines.watch(command(folder.resolve("missing"))));
    assertThat(lines.answer(1)).isEmpty();
    run(lines.watch(CommandSpec.command("sleep", "60").timeLimit(Duration.ofMillis(300)).build()));

    assertThat(lines.answer(1)).isEmpty();
  }

  @Test
  void processThatOutlivesTheCommandShouldMakeAllOfItRead() throws IOException {
    FileLine line = FileLine.of(file(1), 0);
    WatchedLines lines =
        WatchedLines.create(folder.resolve("lines"), Map.of(line, ALL), Effort.USUAL);
    run(lines.watch(command("sh", "-c", "sleep 30 & exit 0")));

    WatchedLines.Answer answer = lines.answer(1).orElseThrow();
    assertThat(answer.isRead(line)).isTrue();
    assertThat(answer.reason()).isEqualTo("a process outlives the command");
  }

  @Test
  void lineShouldBeginAtItsOffset() {
    assertThatThrownBy(() -> new FileLine(1, 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset 3");
  }
}
