// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines with something in flight at one moment. Can be used by any thread.
 *
 * @param hot lines of files that a power cut leaves, by location
 * @param cold further lines
 * @param codec knows what is kept of them; nothing if there never were any
 * @param files those that a power cut leaves
 */
public record LinesInFlight(
    List<StoredLine> hot, ColdLines.Moment cold, @Nullable LineCodec codec, BitSet files) {
  /** Nothing is in flight. */
  public static final LinesInFlight NONE =
      new LinesInFlight(List.of(), new ColdLines().moment(), null, new BitSet());

  /** Copies the list. */
  public LinesInFlight {
    hot = List.copyOf(hot);
  }
}
