package io.powercut.orchestrator.run;

import static java.util.Comparator.naturalOrder;

import io.powercut.orchestrator.campaign.LimitsSection;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run may still spend: time and images. Safe for use by several threads. */
final class Budget {
  private final Optional<Duration> time;
  private final Optional<Integer> images;
  private final long started = System.nanoTime();
  private int imagesSpent;

  /** A budget of what the campaign allows. */
  Budget(LimitsSection limits) {
    this(limits, Optional.empty());
  }

  /**
   * @param limits the campaign's own
   * @param share what there is of time beside them; as much as they say when there is none
   */
  Budget(LimitsSection limits, Optional<Duration> share) {
    this.time = Stream.concat(limits.time().stream(), share.stream()).min(naturalOrder());
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
