// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** Compares two sparse files from one piece of data to the next. */
final class FileComparison {
  private static final int CHUNK = 256 * 1024;

  private final Path name;
  private final SparseFile first;
  private final SparseFile second;
  private final ByteBuffer firstBytes = ByteBuffer.allocateDirect(CHUNK);
  private final ByteBuffer secondBytes = ByteBuffer.allocateDirect(CHUNK);

  private FileComparison(Path name, SparseFile first, SparseFile second) {
    this.name = name;
    this.first = first;
    this.second = second;
  }

  static Optional<Difference> firstDifference(Path name, Path first, Path second)
      throws IOException {
    try (SparseFile firstFile = SparseFile.openForReading(first);
        SparseFile secondFile = SparseFile.openForReading(second)) {
      return new FileComparison(name, firstFile, secondFile).run();
    }
  }

  private Optional<Difference> run() throws IOException {
    long firstSize = first.status().size();
    long secondSize = second.status().size();
    long common = Math.min(firstSize, secondSize);
    long offset = nextData(0, common);
    while (offset < common) {
      int length = (int) Math.min(CHUNK, common - offset);
      Optional<Difference> difference = compareChunk(offset, length);
      if (difference.isPresent()) {
        return difference;
      }
      offset = nextData(offset + length, common);
    }
    return firstSize == secondSize
        ? Optional.empty()
        : Optional.of(new Difference.SizeDiffers(name, firstSize, secondSize));
  }

  private Optional<Difference> compareChunk(long offset, int length) throws IOException {
    fill(first, firstBytes, length, offset);
    fill(second, secondBytes, length, offset);
    int mismatch = firstBytes.mismatch(secondBytes);
    if (mismatch < 0) {
      return Optional.empty();
    }
    return Optional.of(
        Difference.BytesDiffer.of(
            name,
            offset + mismatch,
            excerpt(firstBytes, mismatch),
            excerpt(secondBytes, mismatch)));
  }

  /** Where either file has data next; {@code end} if neither has. */
  private long nextData(long from, long end) throws IOException {
    if (from >= end) {
      return end;
    }
    long ofFirst = first.nextData(from);
    long ofSecond = second.nextData(from);
    long next = end;
    if (ofFirst >= 0) {
      next = Math.min(next, ofFirst);
    }
    if (ofSecond >= 0) {
      next = Math.min(next, ofSecond);
    }
    return next;
  }

  private static void fill(SparseFile file, ByteBuffer buffer, int length, long offset)
      throws IOException {
    int read = file.read(buffer, 0, length, offset);
    buffer.position(0).limit(read);
  }

  private static byte[] excerpt(ByteBuffer buffer, int position) {
    int length = Math.min(Difference.BytesDiffer.SHOWN, buffer.limit() - position);
    byte[] bytes = new byte[Math.max(0, length)];
    buffer.get(position, bytes);
    return bytes;
  }
}
