// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.NativeLibrary;
import io.powercut.image.files.SparseFile;
import io.powercut.image.files.SystemErrors;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Hashes pages of 4 KiB to 128 bits, faster than they can be read. A page of zeros has hash 0, so
 * that it equals a hole. What lies beyond the end of a file counts as zeros. Two different pages
 * are taken for equal with a probability of about 2^-128.
 */
public final class PageHashing {
  /** Bytes of a page, and its binary logarithm. */
  public static final int PAGE = 4096;

  public static final int PAGE_BITS = 12;

  static {
    NativeLibrary.load();
  }

  private PageHashing() {}

  /** How many pages hold so many bytes. */
  public static long pagesOf(long bytes) {
    return (bytes + PAGE - 1) >>> PAGE_BITS;
  }

  /**
   * Hashes pages of a file.
   *
   * @param out gets two words a page from index {@code position}
   */
  static void hash(SparseFile file, long firstPage, int pages, long[] out, int position)
      throws IOException {
    int result = hashFile(file.descriptor(), firstPage << PAGE_BITS, pages, out, position);
    SystemErrors.checked(result, "read", file.path());
  }

  /** Hashes one page in memory into {@code out[0]} and {@code out[1]}. */
  static void hash(ByteBuffer direct, int offset, long[] out) {
    hashMemory(direct, offset, 1, out, 0);
  }

  private static native int hashFile(int file, long offset, int pages, long[] out, int position);

  private static native void hashMemory(
      ByteBuffer direct, int offset, int pages, long[] out, int position);
}
