// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.format.Text;
import java.io.PrintStream;
import java.time.Duration;

/** Progress as plain lines, for logs: one a phase, and one every few seconds while it lasts. */
final class PlainProgress implements Progress {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final PrintStream log;
  private long lastLine = System.nanoTime();

  PlainProgress(PrintStream log) {
    this.log = log;
  }

  @Override
  public synchronized void phase(String title) {
    log.println(Text.clean(title));
    lastLine = System.nanoTime();
  }

  @Override
  public synchronized void step(String task, long done, long total) {
    long now = System.nanoTime();
    if (now - lastLine < INTERVAL.toNanos()) {
      return;
    }
    lastLine = now;
    log.println("  " + task + ": " + done + (total > 0 ? " of " + total : ""));
  }

  @Override
  public synchronized void note(String message) {
    log.println(Text.clean(message));
  }

  @Override
  public void close() {}
}
