// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.campaign.binding.DurationText;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.sweep.SweepListener;
import io.powercut.report.history.HistoryText;
import io.powercut.report.sweep.SweepResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A line when a campaign begins and one when it has ended; between them, the bugs it finds. */
public final class SweepProgress implements SweepListener {
  private final Screen screen;
  private final OutputArguments wanted;
  private final Runnable afterEach;

  /**
   * @param screen gets the lines
   * @param wanted how much of it
   * @param afterEach done when a campaign has ended
   */
  public SweepProgress(Screen screen, OutputArguments wanted, Runnable afterEach) {
    this.screen = screen;
    this.wanted = wanted;
    this.afterEach = afterEach;
  }

  @Override
  public Progress begins(String campaign, int number, int count, Optional<Duration> time) {
    String share =
        time.map(
                one ->
                    ", for at most "
                        + DurationText.format(
                            one.truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofSeconds(1))))
            .orElse("");
    print("[" + number + "/" + count + "] " + campaign + share);
    Progress progress = wanted.on(screen);
    return wanted.isVerbose() ? progress : new WithoutPhases(progress);
  }

  @Override
  public void ended(SweepResult result, int number, int count) {
    print("[" + number + "/" + count + "] " + result.campaign() + ": " + said(result));
    afterEach.run();
  }

  private void print(String line) {
    if (!wanted.isQuiet()) {
      screen.print(line);
    }
  }

  private static String said(SweepResult result) {
    if (result.run().isEmpty()) {
      return "not run: " + result.reason();
    }
    String time = HistoryText.seconds(result.run().get().seconds());
    if (!result.reason().isEmpty()) {
      return "failed after " + time + ": " + result.reason().lines().findFirst().orElse("");
    }
    return "%s; %d new, %d gone; %s"
        .formatted(
            HistoryText.meaning(result.exit().code()),
            result.changes().added().size() + result.changes().again().size(),
            result.changes().gone().size(),
            time);
  }
}
