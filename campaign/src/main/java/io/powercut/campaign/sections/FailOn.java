// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import io.powercut.tree.Severity;
import java.util.List;
import java.util.Locale;

/** What makes a run end with exit code 1: all findings of a severity, or of one kind. */
public enum FailOn {
  /** All proved bugs. */
  BUG,
  /** All races, persistency-induced ones and data races. */
  RACE,
  /** What is correct and slower than it has to be. */
  PERFORMANCE,
  /** All that is suspicious. */
  WARNING,
  /** Stores that nothing persists, to PM that is flushed at another time. */
  NOT_PERSISTED,
  /** Stores to PM that is otherwise never flushed. */
  TRANSIENT_DATA,
  /** Stores over stores that were not persisted. */
  DIRTY_OVERWRITE,
  /** Flushes without effect. */
  REDUNDANT_FLUSH,
  /** Flushes for several stores at once. */
  MULTI_STORE_FLUSH,
  /** Fences without effect. */
  REDUNDANT_FENCE,
  /** Fences that leave an order open. */
  UNORDERED_FENCE,
  /** Data races of which both accesses were seen. */
  DATA_RACE,
  /** Data races that KARD suspects. */
  UNCONFIRMED_DATA_RACE,
  /** Races for which no lock is held throughout, and those with more evidence. */
  LOCKSET,
  /** Races that nothing orders, and those with more evidence. */
  REGION,
  /** Races that happened, and those with more evidence. */
  OBSERVED,
  /** Races after which the reader persisted something, or wrote output. */
  CONSEQUENCE;

  /** The evidence of races, the weakest first. */
  private static final List<FailOn> EVIDENCE = List.of(LOCKSET, REGION, OBSERVED, CONSEQUENCE);

  /** Whether it means findings of that severity and kind. */
  public boolean includes(Severity severity, String kind) {
    return name().equals(severity.name())
        || name().equals(kind)
        || (EVIDENCE.contains(this)
            && EVIDENCE.stream()
                .skip(EVIDENCE.indexOf(this))
                .anyMatch(stronger -> kind.equals(stronger.name() + "_RACE")));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
