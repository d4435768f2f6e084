// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static java.util.Objects.requireNonNull;

/**
 * Why stores are not in flight any more, and since when.
 *
 * @param ordinal of the record that ended it; of a synchronisation, that of its end
 * @param thread that did it
 * @param stack of the flush, fence or call; 0 when there is none
 */
public record Departure(Reason reason, long ordinal, int thread, int stack) {
  /** What ended it. */
  public enum Reason {
    /** It is persisted: {@code clflush}. */
    CLFLUSH,
    /** It is persisted: a fence behind a flush or a store past the cache. */
    FENCE,
    /** It is persisted: a system call such as {@code msync}, which succeeded. */
    SYNC,
    /** It is persisted: it was a write through a descriptor with {@code O_DSYNC}, or before one. */
    SYNCHRONOUS_WRITE,
    /** It is persisted: the caches survive a power cut (eADR). */
    CACHE,
    /**
     * It cannot matter any more: the file lost its last name, or the bytes were cut off or zeroed.
     */
    GONE,
    /** The line has too many stores in flight for each to be known. */
    FORGOTTEN;

    /** Whether the store is persisted. */
    public boolean isPersisted() {
      return switch (this) {
        case CLFLUSH, FENCE, SYNC, SYNCHRONOUS_WRITE, CACHE -> true;
        case GONE, FORGOTTEN -> false;
      };
    }
  }

  /** Requires a reason. */
  public Departure {
    requireNonNull(reason, "reason is null");
  }
}
