// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.reads.FileLine;
import io.powercut.orchestrator.judging.JudgedImages;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Which lines of an image recovery reads. */
public interface RecoveryReads {
  /**
   * A line of a PM file.
   *
   * @param path below the PM directory
   * @param offset of its first byte
   */
  record Line(String path, long offset) {
    /** The line of a byte. */
    static Line of(String path, long offset) {
      return new Line(path, offset / FileLine.SIZE * FileLine.SIZE);
    }
  }

  /** Lines of an image's PM files. */
  @FunctionalInterface
  interface Lines {
    /** Whether the line of a byte was read. */
    boolean contains(String path, long offset);
  }

  /**
   * The lines that recovery reads before it has written to them. Where that cannot be said for
   * sure, more.
   *
   * @param asked only of these will be asked, and of the bytes with a bit, the lowest for the first
   * @return nothing if it cannot be found out
   */
  Optional<Lines> on(JudgedImages images, Map<Line, Long> asked) throws IOException;
}
