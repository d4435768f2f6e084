// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import static java.util.Comparator.naturalOrder;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.LimitsSection;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run may still spend: time and images. Safe for use by several threads. */
public final class Budget {
  private final Optional<Duration> time;
  private final Optional<Integer> images;
  private final long started = System.nanoTime();
  private final Optional<Integer> states;
  private int imagesSpent;
  private int statesSpent;

  /** A budget of what the campaign allows. */
  public Budget(Campaign campaign) {
    this(campaign, Optional.empty());
  }

  /**
   * @param campaign says what it may use
   * @param share what there is of time beside that; as much as it says when there is none
   */
  public Budget(Campaign campaign, Optional<Duration> share) {
    LimitsSection limits = campaign.limits();
    this.states = campaign.crashStates().limit();
    this.time = Stream.concat(limits.time().stream(), share.stream()).min(naturalOrder());
    this.images = limits.images();
  }

  /** Whether another image may be judged. */
  public synchronized boolean isLeft() {
    return images.map(limit -> imagesSpent < limit).orElse(true) && isTimeLeft();
  }

  /** How long it was spent for. */
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  /** Whether there is time left. */
  public boolean isTimeLeft() {
    return time.map(limit -> System.nanoTime() - started < limit.toNanos()).orElse(true);
  }

  /** Counts one image. */
  public synchronized void spendImage() {
    imagesSpent++;
  }

  /** Counts one crash state beyond program order, if another one may be judged. */
  public synchronized boolean spendState() {
    boolean isAllowed = states.map(limit -> statesSpent < limit).orElse(true) && isTimeLeft();
    statesSpent += isAllowed ? 1 : 0;
    return isAllowed;
  }
}
