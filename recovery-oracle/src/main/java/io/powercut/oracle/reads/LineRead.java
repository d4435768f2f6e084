// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

/**
 * What recovery reads of one cache line before it has written to it; more where in doubt.
 *
 * @param bytes a bit for each byte of the line, the lowest for the first
 * @param turn what is read earlier has a lower one; 0 where that is not known
 */
public record LineRead(long bytes, long turn) {
  /** Nothing of it. */
  public static final LineRead NONE = new LineRead(0, 0);

  /** All of it, perhaps before all other lines. */
  public static final LineRead ALL = new LineRead(-1, 0);

  /** Whether some byte is read. */
  public boolean isAny() {
    return bytes != 0;
  }
}
