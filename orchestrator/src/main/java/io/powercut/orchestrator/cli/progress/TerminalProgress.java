// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Progress on a terminal: the last line shows how far the present phase has come; phases, notes and
 * bugs stay above it.
 */
final class TerminalProgress implements Progress {
  private static final int UPDATE_MILLISECONDS = 200;
  private static final String IMAGES = "images";
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Screen screen;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
          });
  private final ScheduledFuture<?> updates;
  private String task = "";
  private long done;
  private long total;
  private Tally tally = Tally.NOTHING;

  /** How many images were judged when the phase began. */
  private long imagesBefore;

  private long phaseBegan = System.nanoTime();
  private boolean isShown;
  private boolean isClosed;

  TerminalProgress(Screen screen) {
    this.screen = screen;
    this.updates =
        clock.scheduleWithFixedDelay(
            this::show, UPDATE_MILLISECONDS, UPDATE_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void phase(String title) {
    phase(title, 0);
  }

  @Override
  public synchronized void phase(String title, long images) {
    hide();
    screen.print(title);
    task = images > 0 ? IMAGES : "";
    done = 0;
    total = images;
    imagesBefore = tally.images();
    phaseBegan = System.nanoTime();
  }

  @Override
  public synchronized void step(String counted, long soFar, long of) {
    task = counted;
    done = soFar;
    total = of;
  }

  @Override
  public synchronized void tally(Tally now) {
    tally = now;
    task = IMAGES;
    done = now.images() - imagesBefore;
  }

  @Override
  public synchronized void note(String message) {
    hide();
    screen.print(message);
  }

  @Override
  public synchronized void found(String line) {
    hide();
    screen.printFound(line);
  }

  @Override
  public synchronized void close() {
    hide();
    isClosed = true;
    updates.cancel(false);
    clock.shutdownNow();
  }

  private synchronized void show() {
    if (isClosed || task.isEmpty()) {
      return;
    }
    Duration time = Duration.ofNanos(System.nanoTime() - phaseBegan);
    // In the last column, some terminals would begin a new line.
    String line = new StatusLine(task, done, total, tally, time).of(screen.width() - 1);
    screen.stream().print(CLEAR_LINE + line);
    screen.stream().flush();
    isShown = true;
  }

  private void hide() {
    if (isShown) {
      screen.stream().print(CLEAR_LINE);
      isShown = false;
    }
  }
}
