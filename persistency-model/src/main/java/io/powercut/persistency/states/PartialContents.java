// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import java.util.Objects;

/**
 * The different contents that a cache line may have after a crash, as far as some of its bytes go:
 * who reads only these cannot tell more of them apart. Never changes.
 */
public final class PartialContents {
  private final InFlightLine line;
  private final long bytes;
  private final DistinctContents contents;

  PartialContents(InFlightLine line, long bytes, DistinctContents contents) {
    this.line = line;
    this.bytes = bytes;
    this.contents = contents;
  }

  /** How many there are, that of program order among them; less than 2 to the power of 62. */
  public long count() {
    return contents.count();
  }

  /**
   * One of them.
   *
   * @param number from 0 to {@link #count()}, exclusive
   * @return the line with the fewest losses that holds it; may be as in program order
   */
  public LineDifference get(long number) {
    Objects.checkIndex(number, count());
    return line.holding(bytes, contents.get(number));
  }
}
