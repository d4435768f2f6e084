// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import java.util.List;
import java.util.Optional;

/**
 * One time at which a race happened, or might have.
 *
 * @param file path of the file, relative to the PM directory
 * @param offset of the first byte in the file
 * @param size how many bytes from there on were stored and loaded
 * @param storing what stored
 * @param ending what ended the time in which a crash could take the store away, if anything did
 * @param loading what loaded
 */
public record RaceExample(
    String file, long offset, int size, Step storing, Optional<Step> ending, Step loading) {
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
}
