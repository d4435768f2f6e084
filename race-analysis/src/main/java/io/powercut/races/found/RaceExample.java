// SPDX-License-Identifier: Apache-2.0
package io.powercut.races.found;

import io.powercut.trace.LockKind;
import io.powercut.tree.CallStack;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One time at which a race happened, or might have.
 *
 * @param file path of the file, relative to the PM directory
 * @param offset of the first byte in the file
 * @param size how many bytes from there on were stored and loaded
 * @param value what was stored, the first byte lowest; nothing if it is not known or more than 8
 *     bytes
 * @param storing what stored
 * @param number which of its thread's stores that was, from 1
 * @param ending what ended the time in which a crash could take the store away, if anything did
 * @param loading what loaded
 */
public record RaceExample(
    String file,
    long offset,
    int size,
    OptionalLong value,
    Step storing,
    long number,
    Optional<Step> ending,
    Step loading) {
  /** The same, if that ended it. */
  RaceExample endedBy(Optional<Step> step) {
    return new RaceExample(file, offset, size, value, storing, number, step, loading);
  }

  /**
   * A part of it.
   *
   * @param ordinal its place in the trace
   * @param thread the one that did it
   * @param held the locks that the thread held
   */
  public record Step(long ordinal, int thread, List<LockHeld> held) {
    public Step {
      held = List.copyOf(held);
    }
  }

  /**
   * A lock that a thread of it held.
   *
   * @param object its {@linkplain io.powercut.trace.Location location}
   * @param isShared whether other readers could hold it, too
   * @param acquired where, if that is known
   */
  public record LockHeld(
      LockKind kind, long object, boolean isShared, Optional<CallStack> acquired) {}
}
