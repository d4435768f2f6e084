// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.judging.JudgedImages;
import java.io.IOException;
import java.util.Optional;

/** Which lines of an image recovery reads. */
public interface RecoveryReads {
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
   * @return nothing if it cannot be found out
   */
  Optional<Lines> on(JudgedImages images) throws IOException;
}
