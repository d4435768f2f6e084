// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The hash of {@link TraceEvent.PageChecked}. */
public final class PageCheck {
  /** What one check is about. */
  public static final int PAGE_BYTES = TraceFormat.CHECK_BYTES;

  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private PageCheck() {}

  /**
   * The hash of a page.
   *
   * @param page {@link #PAGE_BYTES} bytes
   */
  public static long hash(byte[] page) {
    if (page.length != PAGE_BYTES) {
      throw new IllegalArgumentException("a page has " + PAGE_BYTES + " bytes");
    }
    ByteBuffer words = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
    long hash = BASIS;
    while (words.hasRemaining()) {
      hash = (hash ^ words.getLong()) * PRIME;
      hash ^= hash >>> 32;
    }
    return hash;
  }
}
