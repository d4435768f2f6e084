// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.Success.Assessment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuccessTest {
  @TempDir static Path directory;
  private static Supervisor supervisor;

  @BeforeAll
  static void start() {
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  private static CommandResult run(String script) {
    return supervisor.run(
        CommandSpec.command("sh", "-c", script)
            .outputFile(directory.resolve("output"))
            .outputLimit(DataSize.ofKibibytes(64))
            .build());
  }

  private static Success exitZeroWith(@Nullable String output, @Nullable String notOutput) {
    return new Success(
        Set.of(0),
        Set.of(),
        Optional.ofNullable(output).map(Pattern::compile),
        Optional.ofNullable(notOutput).map(Pattern::compile));
  }

  private static Assessment assess(Success success, String script) {
    return success.assess(run(script));
  }

  @Test
  void exitCodeMustBeOneOfThoseNamed() {
    Success success = new Success(Set.of(0, 3), Set.of(), Optional.empty(), Optional.empty());
    assertThat(assess(success, "exit 3")).isEqualTo(new Assessment.Met());
    assertThat(assess(success, "exit 1"))
        .isEqualTo(new Assessment.Unmet("it exited with code 1, expected exit code 0, 3"));
    assertThat(assess(success, "kill -TERM $$")).isInstanceOf(Assessment.Unmet.class);
  }

  @Test
  void expressionThatTheStackIsTooSmallForDecidesNothing() {
    assertThat(assess(exitZeroWith("(a|b)*c", null), "head -c 60000 /dev/zero | tr '\\0' a"))
        .isInstanceOf(Assessment.Unknown.class)
        .extracting(Assessment::describe)
        .asString()
        .contains("repeated choice");
  }

  @Test
  void signalIsNoExitCodeAndExitCodeNoSignal() {
    Success byCode = new Success(Set.of(143), Set.of(), Optional.empty(), Optional.empty());
    Success bySignal =
        new Success(Set.of(), Set.of(Signal.TERM), Optional.empty(), Optional.empty());
    assertThat(assess(byCode, "exit 143")).isEqualTo(new Assessment.Met());
    assertThat(assess(byCode, "kill -TERM $$")).isInstanceOf(Assessment.Unmet.class);
    assertThat(assess(bySignal, "kill -TERM $$")).isEqualTo(new Assessment.Met());
    assertThat(assess(bySignal, "exit 143"))
        .isEqualTo(new Assessment.Unmet("it exited with code 143, expected SIGTERM"));
  }

  @Test
  void outputMustHaveThePattern() {
    Success success = exitZeroWith("all (\\d+) fine", null);
    assertThat(assess(success, "echo all 7 fine")).isEqualTo(new Assessment.Met());
    assertThat(assess(success, "echo all fine"))
        .isEqualTo(
            new Assessment.Unmet("it exited with code 0, but its output lacks /all (\\d+) fine/"));
    assertThat(assess(success, "echo all 7 fine; exit 1")).isInstanceOf(Assessment.Unmet.class);
  }

  @Test
  void outputMustNotHaveTheOtherPattern() {
    Success success = exitZeroWith(null, "(?i)error");
    assertThat(assess(success, "echo fine")).isEqualTo(new Assessment.Met());
    assertThat(assess(success, "echo Error 5"))
        .isEqualTo(new Assessment.Unmet("it exited with code 0, but its output has /(?i)error/"));
  }

  @Test
  void outputIsSearchedFromItsBeginning() {
    String long40k = "seq 1 8000";
    assertThat(assess(exitZeroWith("begin", null), "echo begin; " + long40k))
        .isEqualTo(new Assessment.Met());
    assertThat(assess(exitZeroWith(null, "begin"), "echo begin; " + long40k))
        .isInstanceOf(Assessment.Unmet.class);
    assertThat(assess(exitZeroWith(null, "begin"), long40k)).isEqualTo(new Assessment.Met());
  }

  @Test
  void outputThatWasNotKeptWholeCannotBeJudged() {
    String long500k = "seq 1 80000";
    assertThat(assess(exitZeroWith("^1\n", null), long500k)).isEqualTo(new Assessment.Met());
    assertThat(assess(exitZeroWith("\n80000\n$", null), long500k)).isEqualTo(new Assessment.Met());
    assertThat(assess(exitZeroWith("nothing", null), long500k))
        .isInstanceOf(Assessment.Unknown.class);
    assertThat(assess(exitZeroWith(null, "nothing"), long500k))
        .isInstanceOf(Assessment.Unknown.class);
    assertThat(assess(exitZeroWith(null, "80000"), long500k)).isInstanceOf(Assessment.Unmet.class);
  }
}
