// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Where blocks of whole records come from, one after the other. */
interface BlockSource extends Closeable {
  /**
   * Goes to the next block.
   *
   * @param over whether the execution is over, so that what is not there will not come
   * @return false when there is none now, and, if it is over, never
   */
  boolean next(boolean over) throws IOException;

  /** The records of the block, between position and limit; valid until the next call. */
  ByteBuffer block();

  /** The file of the block, for messages. */
  Path file();

  /** Where in the file index 0 of {@link #block} lies. */
  long base();

  /** Whether the trace itself says that it is complete. */
  boolean saysEnded() throws IOException;
}
