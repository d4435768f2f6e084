// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

import java.io.IOException;

/**
 * Room outside the heap for what is known of lines that nobody asks about. Can be used by several
 * threads. Bytes that were never written are not read.
 */
public interface Scratch {
  /**
   * Keeps bytes at a position, in place of what was there.
   *
   * @throws IOException if there is no room for them
   */
  void write(long position, byte[] bytes) throws IOException;

  /**
   * Brings bytes back.
   *
   * @param into is filled
   * @throws IOException if they cannot be read
   */
  void read(long position, byte[] into) throws IOException;
}
