package io.powercut.orchestrator.campaign;

import java.util.Locale;

/** What a power failure leaves: Intel's two platforms for persistent memory. */
public enum Domain {
  /** Memory and its controller: what is in caches is lost. */
  ADR,
  /** The caches as well: flushes are not needed, fences still are. */
  EADR;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
