// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.format.Text;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Progress as a bar on a terminal; it leaves one line a phase behind. */
final class TerminalProgress implements Progress {
  private static final int WIDTH = 100;
  private static final int UPDATE_MILLISECONDS = 100;

  private final PrintStream terminal;
  private @Nullable ProgressBar bar;

  TerminalProgress(PrintStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public synchronized void phase(String title) {
    endBar();
    terminal.println(Text.clean(title));
  }

  @Override
  public synchronized void step(String task, long done, long total) {
    ProgressBar shown = bar;
    if (shown == null) {
      shown = newBar(task, total);
      bar = shown;
    }
    shown.maxHint(Math.max(total, done));
    shown.stepTo(done);
  }

  @Override
  public synchronized void note(String message) {
    endBar();
    terminal.println(Text.clean(message));
  }

  @Override
  public synchronized void close() {
    endBar();
  }

  private ProgressBar newBar(String task, long total) {
    return new ProgressBarBuilder()
        .setTaskName("  " + task)
        .setInitialMax(total)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(UPDATE_MILLISECONDS)
        .setConsumer(new ConsoleProgressBarConsumer(terminal, WIDTH))
        .build();
  }

  private void endBar() {
    ProgressBar shown = bar;
    if (shown != null) {
      shown.close();
      bar = null;
    }
  }
}
