// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import java.time.Duration;

/**
 * The time that is left for occurrences beyond those that are judged in any case, and how many of
 * them that is, going by how long others took.
 */
final class FurtherTime {
  private static final Duration LEAST = Duration.ofSeconds(3);
  private static final int PERCENT = 100;

  private final long end;
  private double perSecond;
  private long passBegan;
  private long longestPass;

  /**
   * Begins now.
   *
   * @param elapsed how long injection took so far
   * @param judged how many occurrences it judged
   * @param share how much of that time may be spent, in percent; 0 for none
   */
  FurtherTime(Duration elapsed, long judged, int share) {
    Duration part = elapsed.multipliedBy(share).dividedBy(PERCENT);
    Duration time = share == 0 || part.compareTo(LEAST) > 0 ? part : LEAST;
    this.end = System.nanoTime() + time.toNanos();
    this.perSecond = perSecond(judged, elapsed.toNanos());
  }

  private static double perSecond(long judged, long nanoseconds) {
    return judged / (Math.max(1, nanoseconds) / (double) Duration.ofSeconds(1).toNanos());
  }

  /**
   * How many occurrences can be judged by one more pass over the trace; 0 if it is not worth it.
   */
  long affordable() {
    long left = end - System.nanoTime();
    return left <= longestPass / 2
        ? 0
        : (long) Math.ceil(perSecond * left / Duration.ofSeconds(1).toNanos());
  }

  /** A pass over the trace begins. */
  void begin() {
    passBegan = System.nanoTime();
  }

  /** It is over, and judged so many. */
  void end(long judged) {
    long took = System.nanoTime() - passBegan;
    longestPass = Math.max(longestPass, took);
    perSecond = perSecond(judged, took);
  }
}
