// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Is told by a {@link CacheLineTracker} what becomes of stores: how they come to be in flight, what
 * is done to persist them, and when they are persisted. The times of a store are the ordinals of
 * {@link InFlightStore} and {@link Departure}.
 *
 * <p>Lines are valid during the call only, and not to be changed.
 */
public interface LineObserver {
  /**
   * A record of a store, also of one to a file that no power cut leaves.
   *
   * @param record valid during the call only
   * @param store the ordinal of the whole store's first record
   */
  default void stored(StoreRecord record, long store) {}

  /**
   * A part of a store came over bytes in flight of another, some of which are not transient.
   *
   * @param older what was there, or what is left of it
   * @param newer the part in the line
   * @param location of the part's first byte
   */
  default void overwritten(InFlightStore older, InFlightStore newer, long location) {}

  /**
   * A part of a store in one line is in flight now. With eADR, stores through the cache never are;
   * they are told of only in lines with stores past the cache, which they may persist.
   */
  default void inFlight(InFlightStore store, LineHistory line) {}

  /**
   * A flush is about to take effect.
   *
   * @param line nothing where nothing is in flight
   */
  default void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {}

  /**
   * A fence is about to take effect.
   *
   * @param thread what it did since its last fence
   * @param lines those with stores that this fence persists
   */
  default void fenced(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines) {}

  /**
   * A synchronisation begins, whatever it promises.
   *
   * @param lines what it is about, each file once
   */
  default void synchronising(TraceEvent.Sync sync, List<LineRange> lines) {}

  /**
   * A synchronisation that makes contents durable has succeeded, and is about to take effect.
   *
   * @param isNeeded whether it persists anything
   */
  default void synchronised(TraceEvent.SyncEnded ended, boolean isNeeded) {}

  /**
   * A synchronisation that would have made contents durable has failed. It persists nothing.
   *
   * @param lines what it was about, each file once
   */
  default void failed(TraceEvent.SyncEnded ended, List<LineRange> lines) {}

  /**
   * A write through a descriptor with {@code O_DSYNC} or {@code O_SYNC} is about to be persisted.
   *
   * @param lines those it touches
   */
  default void wroteSynchronously(LineRange lines) {}

  /** Whether it wants to be told of each store that {@linkplain #departed departs}. */
  default boolean followsDepartures() {
    return false;
  }

  /**
   * A part of a store in one line is not in flight any more: all of it, by now. Only if it
   * {@linkplain #followsDepartures follows} them.
   *
   * @param line the location of the line's first byte
   */
  default void departed(InFlightStore store, long line, Departure departure) {}
}
