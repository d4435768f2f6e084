// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.trace.FlushKind;
import java.util.Arrays;
import java.util.List;

/**
 * What many lines have in common: which code stored to which of their bytes, in which order, and
 * what their stores wait for; not when, and not what. Never changes.
 */
public final class LineShape {
  /**
   * A flush that a thread's next fence completes.
   *
   * @param last the number of the last store in the trace that it covers
   */
  record AwaitedFlush(int last, FlushKind kind, int site, int stack) {}

  /**
   * What a thread's next fence guarantees.
   *
   * @param flushes those that each cover a store that no earlier one does
   * @param nonTemporal whether those are waited for that the thread made past the cache
   * @param everything whether nothing is left then that can be lost
   */
  record Awaited(int thread, List<AwaitedFlush> flushes, boolean nonTemporal, boolean everything) {
    Awaited {
      flushes = List.copyOf(flushes);
    }
  }

  /** The stores, as {@link LineCodec} writes them; nothing if they are with the other bytes. */
  private final byte[] stores;

  private final boolean isInline;
  private final boolean changes;
  private final boolean isZeroBefore;
  private final boolean hasGap;
  private final long unfinished;
  private final List<Awaited> awaited;
  private final int hash;

  /**
   * @param changes whether the line would hold something else without the stores
   * @param isZeroBefore whether it would be zero
   * @param hasGap whether stores were forgotten
   * @param unfinished the ordinal of the instruction or call that stored to it last, if that may go
   *     on; else -1. Lines of one that stores to very many have it in common.
   */
  public LineShape(
      byte[] stores,
      boolean isInline,
      boolean changes,
      boolean isZeroBefore,
      boolean hasGap,
      long unfinished,
      List<Awaited> awaited) {
    this.stores = stores;
    this.isInline = isInline;
    this.changes = changes;
    this.isZeroBefore = isZeroBefore;
    this.hasGap = hasGap;
    this.unfinished = unfinished;
    this.awaited = List.copyOf(awaited);
    this.hash =
        31 * (31 * Arrays.hashCode(stores) + this.awaited.hashCode()) + Long.hashCode(unfinished);
  }

  /** The same, whose stores are kept with the bytes of each line. */
  LineShape inline() {
    return new LineShape(new byte[0], true, changes, isZeroBefore, hasGap, unfinished, awaited);
  }

  byte[] stores() {
    return stores;
  }

  public boolean isInline() {
    return isInline;
  }

  boolean changes() {
    return changes;
  }

  boolean isZeroBefore() {
    return isZeroBefore;
  }

  public boolean hasGap() {
    return hasGap;
  }

  long unfinished() {
    return unfinished;
  }

  List<Awaited> awaited() {
    return awaited;
  }

  @Override
  public boolean equals(Object other) {
    return other == this || (other instanceof LineShape shape && isLike(shape));
  }

  private boolean isLike(LineShape shape) {
    return shape.hash == hash
        && shape.isInline == isInline
        && shape.changes == changes
        && shape.isZeroBefore == isZeroBefore
        && shape.hasGap == hasGap
        && shape.unfinished == unfinished
        && Arrays.equals(shape.stores, stores)
        && shape.awaited.equals(awaited);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
