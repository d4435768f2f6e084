package io.powercut.persistency.states;

import java.io.IOException;

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
}
