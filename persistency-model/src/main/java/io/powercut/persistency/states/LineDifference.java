// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.Location;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What a cache line holds after a crash: which of its in-flight stores persisted, and so its
 * content. Never changes. Equal ones are of the same line and have the same content, whichever
 * stores led to it.
 */
public final class LineDifference {
  private final InFlightLine line;
  private final int[] positions;
  private final long[] content;

  /**
   * @param positions of {@link LineSpace}
   */
  LineDifference(InFlightLine line, int[] positions, long[] content) {
    this.line = line;
    this.positions = positions;
    this.content = content;
  }

  /** The line with all that may become of it. */
  public InFlightLine line() {
    return line;
  }

  /** The {@link Location} of the line's first byte. */
  public long location() {
    return line.location();
  }

  /** What the line holds: a copy of its 64 bytes. Those behind the end of the file are zero. */
  public byte[] bytes() {
    return LineWords.toBytes(content);
  }

  /** What the line holds, as eight little-endian words. */
  public long[] words() {
    return content.clone();
  }

  /** The bytes that are not as in program order: a bit for each, the lowest for the first. */
  public long changed() {
    long[] changed = line.programOrder().content.clone();
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      changed[unit] ^= content[unit];
    }
    return LineWords.touched(changed);
  }

  /**
   * Whether another content of the line has some bytes in common with this one.
   *
   * @param words of the other one, as {@link #words()} gives them
   * @param some a bit for each of these bytes
   */
  public boolean isAlike(long[] words, long some) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      if (((content[unit] ^ words[unit]) & LineWords.bits(some, unit)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The stores that did not persist, in order; of those of which some units did, what is lost. */
  public List<InFlightStore> missing() {
    return line.missing(positions);
  }

  /** Whether what persisted is all that was stored up to some point, and nothing later. */
  public boolean isPrefix() {
    return line.isPrefix(positions);
  }

  /** Whether the content is that of program order, although stores may be lost. */
  public boolean changesNothing() {
    return line.isProgramOrder(content);
  }

  /**
   * The same with one store persisted, and with it what x86 persists before it: earlier stores to
   * its units, and of a cached store all earlier cached ones of the line.
   *
   * @param store one of {@link #missing}
   */
  public LineDifference restoring(InFlightStore store) {
    return line.restoring(positions, store);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LineDifference difference
        && difference.location() == location()
        && Arrays.equals(difference.content, content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content) + Long.hashCode(location());
  }

  @Override
  public String toString() {
    return Location.toString(location()) + " " + HexFormat.of().formatHex(bytes());
  }
}
