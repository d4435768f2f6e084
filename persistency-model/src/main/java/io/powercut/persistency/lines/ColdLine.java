// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineWords;

/**
 * A line of a run.
 *
 * @param codec knows what is kept of it
 * @param page the location of the page's first byte
 * @param index its number in the run
 */
public record ColdLine(LineCodec codec, long page, LineRun run, int index) implements KeptLine {
  @Override
  public long location() {
    return page + (long) run.place(index) * LineWords.LINE;
  }

  @Override
  public long firstOrdinal() {
    return run.ordinal(index);
  }

  @Override
  public long[] guaranteed() {
    return codec.guaranteed(run, index);
  }

  @Override
  public boolean changes() {
    return run.shape().changes();
  }

  @Override
  public StoredLine stored() {
    return new LineHistory(location(), codec.decode(run, index), new InFlightPlaces()).snapshot();
  }
}
