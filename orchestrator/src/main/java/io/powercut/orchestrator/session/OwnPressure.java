// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/** How busy Powercut was with its own memory, and not with what it is for, since some moment. */
public final class OwnPressure {
  /** With a larger share of the time, whatever else ran was slowed down. */
  private static final double HIGH = 0.2;

  /** They stay the same, and each recovery asks them. */
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans();

  private final long began = System.nanoTime();
  private final long collectedBefore = collected();

  /** Time of garbage collections so far, in milliseconds. */
  private static long collected() {
    return COLLECTORS.stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(time -> time > 0)
        .sum();
  }

  /** The time that garbage collections took since then. */
  public Duration collecting() {
    return Duration.ofMillis(collected() - collectedBefore);
  }

  /** Whether that was so much that a process which did not end in its time may be sound. */
  public boolean isHigh() {
    return isHigh(collecting(), Duration.ofNanos(System.nanoTime() - began));
  }

  public static boolean isHigh(Duration collecting, Duration all) {
    return collecting.toNanos() > HIGH * all.toNanos();
  }
}
