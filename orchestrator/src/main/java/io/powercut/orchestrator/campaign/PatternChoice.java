package io.powercut.orchestrator.campaign;

import java.util.Locale;

/** A pattern that can be left out of reports. */
public enum PatternChoice {
  /** Stores to PM that is flushed at some time, but not after them. */
  NOT_PERSISTED,
  /** Stores to PM that is never flushed. */
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
  UNORDERED_FENCE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
