// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.RaceEvidence;
import io.powercut.trace.TraceEvent;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions that allocate memory in which threads are, and what cannot be judged before they
 * return: which memory they allocate is known only then.
 */
final class Allocations {
  /** Of a thread; beyond that, pairs are dropped. */
  private static final int MOST_PAIRS = 1 << 16;

  /**
   * A function that a thread is in.
   *
   * @param depth in how many others it is
   * @param ordinal of its entry
   */
  private record Entered(int depth, long ordinal) {}

  /** A load that races with a window, if it is not of other memory at the same place. */
  private record Pair(RaceEvidence evidence, Window window, Access load, long line, long bytes) {
    Pair without(long some) {
      return new Pair(evidence, window, load, line, bytes & ~some);
    }
  }

  /** What a thread is in, the outermost first, and what waits for that. */
  private static final class OfThread {
    private final List<Entered> entered = new ArrayList<>(1);
    private List<Pair> pairs = new ArrayList<>(0);
  }

  private final Tally tally;
  private final Int2ObjectOpenHashMap<OfThread> byThread = new Int2ObjectOpenHashMap<>();
  private boolean isComplete = true;

  Allocations(Tally tally) {
    this.tally = tally;
  }

  /** Whether no pair had to be dropped. */
  boolean isComplete() {
    return isComplete;
  }

  /** A thread enters one. Those that are as deep were left. */
  void enter(int thread, int depth, long ordinal) {
    leave(thread, depth);
    byThread
        .computeIfAbsent(thread, fresh -> new OfThread())
        .entered
        .add(new Entered(depth, ordinal));
  }

  /** A thread is out of one, and of those in it. */
  void leave(int thread, int depth) {
    OfThread all = byThread.get(thread);
    if (all == null) {
      return;
    }
    all.entered.removeIf(one -> one.depth() >= depth);
    if (all.entered.isEmpty()) {
      byThread.remove(thread);
      judge(all);
    }
  }

  /** The trace is over: nothing more is allocated. */
  void end() {
    byThread.values().forEach(this::judge);
    byThread.clear();
  }

  private void judge(OfThread all) {
    for (Pair one : all.pairs) {
      tally.add(one.evidence(), one.window(), one.load(), one.line(), one.bytes(), 0);
    }
  }

  /** Whether a store was done in one in which its thread still is. */
  boolean isIn(Access store) {
    OfThread all = byThread.get(store.thread());
    return all != null && all.entered.get(0).ordinal() < store.ordinal();
  }

  /**
   * Whether a store was done since its thread entered the one of that depth.
   *
   * @param storing the thread that did it
   */
  boolean isSince(long store, int storing, int thread, int depth) {
    OfThread all = byThread.get(thread);
    return all != null
        && storing == thread
        && all.entered.stream().anyMatch(one -> one.depth() == depth && one.ordinal() < store);
  }

  /** A load races with a window whose store {@link #isIn} one. */
  void add(RaceEvidence evidence, Window window, Access load, long line, long bytes) {
    OfThread all = byThread.get(window.store().thread());
    if (all.pairs.size() < MOST_PAIRS) {
      all.pairs.add(new Pair(evidence, window, load, line, bytes));
    } else {
      isComplete = false;
    }
  }

  /**
   * A thread has allocated bytes of lines. What was loaded before it stored there is not of that
   * memory.
   *
   * @param isInitialisation whether what it had stored and persisted by then is left out
   */
  void renew(TraceEvent.Allocated allocated, boolean isInitialisation) {
    OfThread all = byThread.get(allocated.thread());
    if (all == null || all.pairs.isEmpty()) {
      return;
    }
    long end = allocated.location() + allocated.size();
    List<Pair> left = new ArrayList<>();
    for (Pair one : all.pairs) {
      boolean isSeparated =
          one.line() + Windows.LINE > allocated.location()
              && one.line() < end
              && isSince(
                  one.window().store().ordinal(),
                  one.window().store().thread(),
                  allocated.thread(),
                  allocated.depth())
              && (isInitialisation || one.load().ordinal() < one.window().store().ordinal());
      Pair rest =
          isSeparated ? one.without(Windows.bytesOf(one.line(), allocated.location(), end)) : one;
      if (rest.bytes() != 0) {
        left.add(rest);
      }
    }
    all.pairs = left;
  }
}
