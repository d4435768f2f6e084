// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.InFlightLine;

/**
 * A store, or what is blamed of it, of which it matters whether it persisted.
 *
 * @param line the cache line it is to
 * @param store which bytes of which store
 */
public record BlamedStore(InFlightLine line, InFlightStore store) {
  /** Whether it was flushed, or went past the cache, and only a fence is missing. */
  public boolean isFlushed() {
    return line.isFlushed(store);
  }

  /** Whether another part of the same store to the line did persist. */
  public boolean isTorn() {
    return line.isTorn(store);
  }
}
