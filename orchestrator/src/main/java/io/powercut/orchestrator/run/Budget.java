package io.powercut.orchestrator.run;

import io.powercut.orchestrator.campaign.LimitsSection;
import java.time.Duration;
import java.util.Optional;

/** What a run may still spend: time and images. Safe for use by several threads. */
final class Budget {
  private final Optional<Duration> time;
  private final Optional<Integer> images;
  private final long started = System.nanoTime();
  private int imagesSpent;

  Budget(LimitsSection limits) {
    this.time = limits.time();
    this.images = limits.images();
  }

  /** Whether another image may be judged. */
  synchronized boolean isLeft() {
    return images.map(limit -> imagesSpent < limit).orElse(true) && isTimeLeft();
  }

  /** Whether there is time left. */
  boolean isTimeLeft() {
    return time.map(limit -> System.nanoTime() - started < limit.toNanos()).orElse(true);
  }

  /** Counts one image. */
  synchronized void spendImage() {
    imagesSpent++;
  }
}
