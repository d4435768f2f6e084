// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.timeline;

import io.powercut.report.evidence.Timeline;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.Instruction;

/**
 * A store, a flush, a fence, a synchronisation or a change of metadata, in the numbers of the
 * trace.
 *
 * @param kind what it was
 * @param ordinal its place in the trace; of a store with several records, that of the first
 * @param thread that did it
 * @param instruction how
 * @param site the instruction's number
 * @param stack the call stack's number; 0 when it was not collected
 * @param location of the first byte; 0 of what is about no place
 * @param size of a store in bytes, else 0
 * @param first the first 8 bytes of a store, the first of them lowest
 * @param second the next 8
 */
public record Happening(
    Timeline.Action kind,
    long ordinal,
    int thread,
    Instruction instruction,
    int site,
    int stack,
    long location,
    int size,
    long first,
    long second) {
  /** A system call that is about no cache line. */
  static Happening call(
      Timeline.Action kind, TraceEvent event, Instruction instruction, int site, int stack) {
    return new Happening(
        kind, event.ordinal(), event.thread(), instruction, site, stack, 0, 0, 0, 0);
  }

  private static final int MOST_BYTES = 2 * Long.BYTES;

  /** One of the bytes that a store is known to have stored, from 0; -1 if it is not known. */
  public int storedByte(int index) {
    if (index >= Math.min(size, MOST_BYTES)) {
      return -1;
    }
    long word = index < Long.BYTES ? first : second;
    return (int) (word >>> (Byte.SIZE * (index % Long.BYTES)) & 0xff);
  }
}
