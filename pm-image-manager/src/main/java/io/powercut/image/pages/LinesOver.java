// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.persistency.states.CrashState;
import java.nio.ByteBuffer;

/** Lines of a file that lie over what its pages hold; any thread may ask. */
@FunctionalInterface
public interface LinesOver {
  /** No lines. */
  LinesOver NONE = (from, to, direct) -> {};

  /**
   * Puts the lines of a part of the file over what it holds.
   *
   * @param from the offset of the part in the file
   * @param to the offset after it
   * @param direct holds the part from its beginning
   */
  void put(long from, long to, ByteBuffer direct);

  /** The lines of a file that a crash state has. */
  static LinesOver of(CrashState state, int file) {
    return (from, to, direct) ->
        state.lines(
            file,
            from,
            to,
            (offset, content) -> direct.put(Math.toIntExact(offset - from), content));
  }
}
