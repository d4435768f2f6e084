// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Wall time by phase, in the order in which the phases began. */
public final class Timings {
  private static final double NANOSECONDS = 1e9;

  private final long started = System.nanoTime();
  private final Map<String, Double> seconds = new LinkedHashMap<>();

  /** Runs a phase and adds its time, also when it throws. */
  public <T> T measure(String phase, Supplier<T> work) {
    long begin = System.nanoTime();
    try {
      return work.get();
    } finally {
      add(phase, (System.nanoTime() - begin) / NANOSECONDS);
    }
  }

  /** Runs a phase that gives nothing. */
  public void run(String phase, Runnable work) {
    measure(
        phase,
        () -> {
          work.run();
          return true;
        });
  }

  /** Adds seconds to a phase. */
  public synchronized void add(String phase, double more) {
    seconds.merge(phase, more, Double::sum);
  }

  /** Seconds by phase, and {@code total} since this object was made. */
  public synchronized Map<String, Double> seconds() {
    Map<String, Double> all = new LinkedHashMap<>(seconds);
    all.put("total", (System.nanoTime() - started) / NANOSECONDS);
    all.replaceAll((phase, time) -> Math.round(time * 1000) / 1000.0);
    return all;
  }
}
