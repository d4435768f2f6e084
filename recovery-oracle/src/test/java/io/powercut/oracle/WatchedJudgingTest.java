// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.CostlyPages;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.process.CommandSpec;
import io.powercut.process.Signal;
import io.powercut.process.Success;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The run that judges an image says what it reads, and nothing else changes by that. */
@Tag("programs")
class WatchedJudgingTest {
  private static final ImageLine LINE = new ImageLine("pool", 0);

  @TempDir private Path folder;
  private OracleFixture fixture;
  private final ReadsWatch watch =
      new ReadsWatch(Map.of(LINE, -1L), Effort.USUAL, new CostlyPages());

  @BeforeEach
  void open() throws IOException {
    fixture = new OracleFixture(folder);
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  /** Scripts that run with the copy as their directory. */
  private Verdict judge(String... scripts) {
    return fixture
        .judge(
            watch,
            image -> Arrays.stream(scripts).map(script -> step(image, script, Set.of())).toList())
        .verdict();
  }

  private static RecoveryStep step(Path image, String script, Set<Signal> signals) {
    CommandSpec command =
        CommandSpec.command("sh", "-c", script)
            .workingDirectory(image)
            .timeLimit(Duration.ofSeconds(2))
            .build();
    return RecoveryStep.command(
        "recover", command, new Success(Set.of(0), signals, Optional.empty(), Optional.empty()));
  }

  private boolean isRead() {
    return watch.answer().orElseThrow().of(LINE.path(), LINE.offset()).isAny();
  }

  @Test
  void oneRunShouldGiveVerdictAndReads() {
    assertThat(judge("true", "cat pool")).isInstanceOf(Verdict.Consistent.class);
    assertThat(isRead()).isTrue();
    assertThat(fixture.copiesMade).hasSize(1);
  }

  @Test
  void lineThatNoStepReadsShouldNotBeRead() {
    assertThat(judge("true", "echo new >pool")).isInstanceOf(Verdict.Consistent.class);
    assertThat(isRead()).isFalse();
  }

  @Test
  void sameWatchShouldBeAnsweredOnce() {
    judge("true");
    assertThat(judge("cat pool")).isInstanceOf(Verdict.Consistent.class);
    assertThat(isRead()).isFalse();
  }

  @Test
  void failureShouldBeThatOfRunsThatAreNotWatched() {
    Verdict verdict = judge("grep -q powercut-reads /proc/$PPID/comm && exit 7; cat pool; exit 5");

    assertThat(verdict).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(verdict.describe()).contains("exited with code 5");
    assertThat(fixture.copiesMade).as("watched, judged, confirmed").hasSize(3);
  }

  @Test
  void onlyFailureUnderTheWatcherShouldBeNone() {
    assertThat(judge("grep -q powercut-reads /proc/$PPID/comm && exit 7; exit 0"))
        .isInstanceOf(Verdict.Consistent.class);
  }

  @Test
  void crashShouldHaveItsStackAsEver() {
    Verdict verdict = judge("kill -SEGV $$");

    assertThat(verdict).isInstanceOf(Verdict.Crashed.class);
    assertThat(isRead()).isFalse();
  }

  @Test
  void hangUnderTheWatcherShouldLeaveReadsUnknown() {
    assertThat(judge("grep -q powercut-reads /proc/$PPID/comm && sleep 60; exit 0"))
        .isInstanceOf(Verdict.Consistent.class);
    assertThat(watch.answer()).isEmpty();
  }

  @Test
  void lostWatcherShouldBeNoVerdict() {
    assertThat(judge("grep -q powercut-reads /proc/$PPID/comm && kill -KILL $PPID; exit 0"))
        .isInstanceOf(Verdict.Consistent.class);
    assertThat(watch.answer()).isEmpty();
  }

  /** It ends as this recovery may, but did not see its end. */
  @Test
  void lostWatcherShouldBeNoSuccess() {
    String script = "grep -q powercut-reads /proc/$PPID/comm && kill -KILL $PPID; exit 5";
    OracleResult result =
        fixture.judge(watch, image -> List.of(step(image, script, Set.of(Signal.KILL))));

    assertThat(result.verdict()).isInstanceOf(Verdict.Unrecoverable.class);
  }
}
