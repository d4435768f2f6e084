// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
  private static final int TAIL = 16 << 10;

  @TempDir static Path directory;
  private static Path hostile;
  private static Supervisor supervisor;

  @BeforeAll
  static void start() {
    hostile = TestPrograms.compile(OutputTest.class, "hostile.c", directory);
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  private static String numbers(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void standardOutputAndErrorAreOneStream() {
    assertThat(
            supervisor
                .run(CommandSpec.command("sh", "-c", "echo a; echo b >&2; echo c").build())
                .outputTail())
        .isEqualTo("a\nb\nc\n");
  }

  @Test
  void beginningIsInTheFileAndEndInTheTail() throws IOException {
    Path file = directory.resolve("numbers");
    CommandResult result =
        supervisor.run(
            CommandSpec.command("seq", "100000")
                .outputFile(file)
                .outputLimit(DataSize.ofBytes(1000))
                .build());
    String all = numbers(100_000);
    assertThat(result.outputBytes()).isEqualTo(all.length());
    assertThat(Files.readString(file)).isEqualTo(all.substring(0, 1000));
    assertThat(result.outputTail()).isEqualTo(all.substring(all.length() - TAIL));
  }

  @Test
  void tailIsWholeAtEveryLength() {
    for (int length : new int[] {0, 1, TAIL - 1, TAIL, TAIL + 1, 2 * TAIL, 2 * TAIL + 5, 200_000}) {
      CommandResult result =
          supervisor.run(
              CommandSpec.command("sh", "-c", "seq 1000000 | head -c " + length).build());
      String all = numbers(60_000).substring(0, length);
      assertThat(result.outputTail()).isEqualTo(all.substring(Math.max(0, length - TAIL)));
      assertThat(result.outputBytes()).isEqualTo(length);
    }
  }

  @Test
  void earlierOutputIsReplaced() throws IOException {
    Path file = directory.resolve("again");
    supervisor.run(CommandSpec.command("echo", "a long first line").outputFile(file).build());
    supervisor.run(CommandSpec.command("echo", "short").outputFile(file).build());
    assertThat(file).hasContent("short\n");
  }

  @Test
  void commandThatPrintsForEverNeitherBlocksNorFillsTheDisk() throws IOException {
    Path file = directory.resolve("endless");
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("endless", hostile, "print-for-ever")
                .outputFile(file)
                .outputLimit(DataSize.ofKibibytes(100))
                .timeLimit(Duration.ofMillis(500))
                .build());
    assertThat(result.ending()).isInstanceOf(Ending.TimedOut.class);
    assertThat(Files.size(file)).isEqualTo(100 << 10);
    assertThat(result.outputBytes()).isGreaterThan(1 << 20);
    assertThat(result.outputTail()).hasSize(TAIL);
    assertThat(result.wallTime()).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void commandMayCloseItsOutputAndGoOn() {
    CommandResult result =
        supervisor.run(
            CommandSpec.command("sh", "-c", "echo bye; exec >&- 2>&-; sleep 0.2; exit 3").build());
    assertThat(result.ending()).isEqualTo(new Ending.Exited(3));
    assertThat(result.outputTail()).isEqualTo("bye\n");
  }
}
