// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import java.time.Duration;

/**
 * Progress as plain lines, for logs: one a phase and one a finding. Where a phase takes long, a
 * line tells how far it is, less and less often, so that a night fills no log.
 */
final class PlainProgress implements Progress {
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Screen screen;
  private long phaseBegan = System.nanoTime();
  private Duration next = FIRST;
  private long total;
  private long imagesBefore;
  private Tally tally = Tally.NOTHING;

  PlainProgress(Screen screen) {
    this.screen = screen;
  }

  @Override
  public void phase(String title) {
    phase(title, 0);
  }

  @Override
  public synchronized void phase(String title, long images) {
    screen.print(title);
    phaseBegan = System.nanoTime();
    next = FIRST;
    total = images;
    imagesBefore = tally.images();
  }

  @Override
  public synchronized void step(String task, long done, long of) {
    tell(task, done, of);
  }

  @Override
  public synchronized void tally(Tally now) {
    tally = now;
    tell("images", now.images() - imagesBefore, total);
  }

  private void tell(String task, long done, long of) {
    Duration time = Duration.ofNanos(System.nanoTime() - phaseBegan);
    if (time.compareTo(next) >= 0) {
      next = time.plus(time.compareTo(LONGEST) < 0 ? time : LONGEST);
      screen.print(new StatusLine(task, done, of, tally, time).inWords());
    }
  }

  @Override
  public synchronized void note(String message) {
    screen.print(message);
  }

  @Override
  public synchronized void found(String line) {
    screen.printFound(line);
  }

  @Override
  public void close() {}
}
