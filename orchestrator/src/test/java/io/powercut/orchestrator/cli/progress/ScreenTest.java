// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScreenTest {
  private static final String BUG =
      "BUG crashed  recovery crashed with SIGSEGV in read_value at recovery-crash.c:58; the image lacks"
          + " the store to pool->offsets[index] at set_offset";

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private Screen screen(boolean isTerminal, int width, boolean hasColours) {
    return new Screen(
        new PrintStream(shown, true, StandardCharsets.UTF_8), isTerminal, () -> width, hasColours);
  }

  private String text() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 100, 200})
  void noLineShouldBeWiderThanTheTerminal(int width) {
    screen(true, width, false)
        .print(
            List.of(
                BUG, "crash states    7 beyond program order (7 persisted-only), 6 recoveries"));

    assertThat(text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
    assertThat(text().replaceAll("\\s+", " ")).contains(BUG.replaceAll("\\s+", " "));
  }

  @Test
  void linesAfterATitleShouldBeginBelowItsText() {
    screen(true, 40, false)
        .print("crash states    7 beyond program order, 6 recoveries, 7 failing");

    assertThat(text())
        .isEqualTo(
            "crash states    7 beyond program order,%n%s6 recoveries, 7 failing%n"
                .formatted(" ".repeat(16)));
  }

  @Test
  void rowOfATableShouldGoOnBelowItsLastColumn() {
    screen(true, 40, false).printRow("ok  gdb  GNU gdb (Debian 13.1-3) 13.1, of this machine", 9);

    assertThat(text())
        .isEqualTo(
            "ok  gdb  GNU gdb (Debian 13.1-3) 13.1,%n%sof this machine%n".formatted(" ".repeat(9)));
  }

  @Test
  void brokenCommandShouldStillBeOneForAShell() {
    screen(true, 40, false)
        .print("  replay: /opt/powercut replay powercut-runs/x/latest 84f456c1531");

    assertThat(text().lines().toList())
        .hasSizeGreaterThan(1)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(40));
    assertThat(text().replaceAll("\\\\\\R *", ""))
        .isEqualTo("  replay: /opt/powercut replay powercut-runs/x/latest 84f456c1531\n");
  }

  @Test
  void longPathShouldBeLeftWhole() {
    String path = "/tmp/" + "long/".repeat(30) + "report.html";
    screen(true, 80, false).print("report          " + path);

    assertThat(text()).contains(path);
  }

  @Test
  void linesShouldBeAsTheyAreWithoutATerminal() {
    screen(false, 80, false).print(BUG);

    assertThat(text()).isEqualTo(BUG + System.lineSeparator());
  }

  @ParameterizedTest
  @CsvSource({
    "BUG crashed  x, 31m, BUG",
    "'result          new bugs were found (1.0 s)', 31m, result",
    "'result          nothing new: everything asked for was done and no bug was found', 32m, result",
    "'result          incomplete: interrupted', 33m, result"
  })
  void whatMattersShouldHaveAColour(String line, String colour, String word) {
    screen(true, 200, true).print(line);
    screen(true, 200, false).print(line);

    assertThat(text().lines().findFirst().orElseThrow())
        .contains("\u001b[" + colour + word)
        .contains("\u001b[0m");
    assertThat(text().lines().skip(1)).containsExactly(line);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 79, 200})
  void statusShouldFitAndKeepWhatMattersMost(int width) {
    StatusLine status =
        new StatusLine("images", 60, 286, new Tally(131, 60, 975, 2), Duration.ofSeconds(63));

    assertThat(status.of(width)).hasSizeLessThanOrEqualTo(width).contains("60 of 286 images");
    if (width >= 79) {
      assertThat(status.of(width)).contains("[##", "2 bugs", "1:03", "975 crash states");
    }
  }

  @Test
  void statusShouldHaveNoBarWhileTheTotalIsUnknown() {
    StatusLine status =
        new StatusLine("images", 60, 0, new Tally(131, 60, 0, 0), Duration.ofHours(2));

    assertThat(status.of(100)).isEqualTo("  60 images  2:00:00  131 failure points");
  }

  @Test
  void logShouldHaveALineForAPhaseAndForABugOnly() {
    Progress progress = new PlainProgress(screen(false, 80, false));
    progress.phase("judging other occurrences", 1000);
    for (int image = 1; image <= 1000; image++) {
      progress.tally(new Tally(10, image, 2L * image, 1));
    }
    progress.found("crashed at failure point 84f4:\nrecovery crashed");

    assertThat(text().lines())
        .containsExactly(
            "judging other occurrences", "BUG crashed at failure point 84f4: recovery crashed");
  }

  @Test
  void denominatorShouldBeThatOfThePhase() {
    Progress progress = new TerminalProgress(screen(true, 80, false));
    progress.phase("recording");
    progress.tally(new Tally(10, 10, 0, 0));
    progress.phase("judging other occurrences", 6);
    progress.tally(new Tally(10, 13, 5, 1));
    Awaitility.await()
        .atMost(10, TimeUnit.SECONDS)
        .until(() -> text().contains("3 of 6 images  1 bug  0:00  5 crash states"));
    progress.close();

    assertThat(text()).endsWith("\r\u001b[K");
  }

  @ParameterizedTest
  @CsvSource({"'40 132\n', 132", "'0 0\n', 80", "'', 80", "nonsense, 80", "'24 5\n', 80"})
  void widthShouldBeThatOfTheTerminalIfItKnows(String said, int columns) {
    assertThat(TerminalWidth.columns(said)).isEqualTo(columns);
  }
}
