// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a file that is to hold something else. Holes stay holes, so the cost is that of the
 * data.
 *
 * @param file an ordinary file, which may be written
 * @param offset of the first byte
 * @param length in bytes; the part lies in the file
 */
public record FileRange(Path file, long offset, long length) {
  /**
   * Makes all of it zero.
   *
   * @throws IOException if the file system cannot make holes, or the file cannot be written
   */
  public void clear() throws IOException {
    try (SparseFile target = SparseFile.openForWriting(file)) {
      clear(target);
    }
  }

  private void clear(SparseFile target) throws IOException {
    if (length > 0 && !target.punch(offset, length)) {
      throw new IOException("the file system of " + file + " cannot make holes");
    }
  }

  /**
   * Makes it hold what another file holds in the same place; zeros where that ends before, or is
   * not there.
   *
   * @throws IOException as {@link #clear}, or if the other file cannot be read
   */
  public void copyFrom(Path other) throws IOException {
    try (SparseFile target = SparseFile.openForWriting(file)) {
      clear(target);
      if (!Files.isRegularFile(other)) {
        return;
      }
      try (SparseFile source = SparseFile.openForReading(other)) {
        long end = Math.min(offset + length, source.status().size());
        long data = offset < end ? source.nextData(offset) : -1;
        while (data >= 0 && data < end) {
          long hole = Math.min(source.nextHole(data), end);
          source.copyTo(target, data, hole - data);
          data = hole < end ? source.nextData(hole) : -1;
        }
      }
    }
  }
}
