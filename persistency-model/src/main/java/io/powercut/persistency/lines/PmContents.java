// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.scratch.Scratch;
import java.io.IOException;
import java.util.Optional;

/** Reads the PM files as they are in program order. */
public interface PmContents {
  /**
   * Reads bytes of a file.
   *
   * @param file its number in the trace
   * @param offset of the first byte in the file
   * @param into is filled; bytes behind the end of the file read as zero
   * @throws IOException if the file is not known or cannot be read
   */
  void read(int file, long offset, byte[] into) throws IOException;

  /**
   * New room outside the heap, which is there as long as these contents are.
   *
   * @return nothing if there is none, so that all has to be on the heap
   * @throws IOException if it cannot be made
   */
  default Optional<Scratch> newScratch() throws IOException {
    return Optional.empty();
  }
}
