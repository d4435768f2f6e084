package io.powercut.persistency.states;

/** A line with something in flight at one moment, of which nothing was asked yet. */
sealed interface KeptLine permits StoredLine, ColdLine {
  /** The {@link io.powercut.trace.Location} of its first byte. */
  long location();

  /** What it holds when everything is lost that can be; not to be changed. */
  long[] guaranteed();

  /** Whether that is something else than in program order. */
  boolean changes();

  /** What may become of it. */
  PendingLine pending();
}
