// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import java.util.Arrays;

/**
 * Which releases of each thread happened before something: so many of its first ones. Never
 * changes.
 */
final class VectorClock {
  static final VectorClock NOTHING = new VectorClock(new int[0]);

  private final int[] counts;

  private VectorClock(int[] counts) {
    this.counts = counts;
  }

  /** The count of a thread. */
  int of(int thread) {
    return thread < counts.length ? counts[thread] : 0;
  }

  /** What happened before one of the two. */
  VectorClock with(VectorClock other) {
    if (other.counts.length > counts.length) {
      return other.with(this);
    }
    int[] both = counts;
    for (int thread = 0; thread < other.counts.length; thread++) {
      if (other.counts[thread] > both[thread]) {
        both = both == counts ? counts.clone() : both;
        both[thread] = other.counts[thread];
      }
    }
    return both == counts ? this : new VectorClock(both);
  }

  /** With one more of a thread. */
  VectorClock after(int thread) {
    int[] next = Arrays.copyOf(counts, Math.max(counts.length, thread + 1));
    next[thread]++;
    return new VectorClock(next);
  }
}
