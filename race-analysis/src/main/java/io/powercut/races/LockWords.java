// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.Location;
import io.powercut.trace.LockEvent;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/**
 * Words in persistent memory that are locks and nothing else: the thread that had swapped something
 * in gave 0 back. Such a word is transient, so a race for it is none. A pointer that is published
 * by a swap is not given back so, and races for it are reported.
 */
final class LockWords implements LockEvent.Visitor<RuntimeException> {
  private static final int LARGEST_WORD = 16;

  private final LongSet words = new LongOpenHashSet();
  private int lastThread;
  private long lastLocation;
  private boolean lastIsZero;

  void stored(StoreRecord store) {
    lastThread = store.thread();
    lastLocation = store.location();
    lastIsZero = store.size() <= LARGEST_WORD;
    for (int at = 0; at < store.size() && lastIsZero; at++) {
      lastIsZero = store.bytes().get(store.offset() + at) == 0;
    }
  }

  @Override
  public void visit(TraceEvent.Acquired acquired) {}

  /** The release of a word comes right behind its store. */
  @Override
  public void visit(TraceEvent.Released released) {
    if (released.kind() == LockKind.ATOMIC_WORD
        && !Location.isVolatile(released.object())
        && lastIsZero
        && lastThread == released.thread()
        && lastLocation == released.object()) {
      words.add(released.object());
    }
  }

  /** Whether a lock begins there. */
  boolean contains(long location) {
    return words.contains(location);
  }
}
