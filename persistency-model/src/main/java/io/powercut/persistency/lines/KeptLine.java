// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

/** A line with something in flight at one moment, of which nothing was asked yet. */
public sealed interface KeptLine permits StoredLine, ColdLine {
  /** The {@link io.powercut.trace.Location} of its first byte. */
  long location();

  /** The ordinal of its first store that is kept; -1 if none is. */
  long firstOrdinal();

  /** What it holds when everything is lost that can be; not to be changed. */
  long[] guaranteed();

  /** Whether that is something else than in program order. */
  boolean changes();

  /** All that is known of it. */
  StoredLine stored();
}
