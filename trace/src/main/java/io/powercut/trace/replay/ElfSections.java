// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The sections of an ELF file of 64 bits (System V ABI, chapter 4). */
public final class ElfSections {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2};
  private static final int HEADER_SIZE = 64;
  private static final int SECTION_HEADERS_AT = 40;
  private static final int ENTRY_SIZE_AT = 58;
  private static final int COUNT_AT = 60;
  private static final int NAMES_AT = 62;
  private static final int OFFSET_IN_ENTRY = 24;
  private static final int SIZE_IN_ENTRY = 32;
  private static final int LEAST_ENTRY_SIZE = 64;
  private static final int MOST_BYTES = 1 << 24;
  private static final int SHORT = 0xffff;

  private ElfSections() {}

  /** Their names; none if it is no such file or cannot be read. */
  public static Set<String> names(Path path) {
    try (FileChannel file = FileChannel.open(path)) {
      byte[] beginning = read(file, 0, HEADER_SIZE);
      if (!Arrays.equals(Arrays.copyOf(beginning, MAGIC.length), MAGIC)) {
        return Set.of();
      }
      ByteBuffer header = littleEndian(beginning);
      int size = header.getShort(ENTRY_SIZE_AT) & SHORT;
      int count = header.getShort(COUNT_AT) & SHORT;
      int names = header.getShort(NAMES_AT) & SHORT;
      if (size < LEAST_ENTRY_SIZE || names >= count) {
        return Set.of();
      }
      ByteBuffer entries =
          littleEndian(read(file, header.getLong(SECTION_HEADERS_AT), (long) size * count));
      byte[] text =
          read(
              file,
              entries.getLong(names * size + OFFSET_IN_ENTRY),
              entries.getLong(names * size + SIZE_IN_ENTRY));
      Set<String> found = new HashSet<>();
      for (int index = 0; index < count; index++) {
        found.add(nameAt(text, entries.getInt(index * size)));
      }
      return found;
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return Set.of();
    }
  }

  private static String nameAt(byte[] text, int offset) {
    int end = offset;
    while (text[end] != 0) {
      end++;
    }
    return new String(text, offset, end - offset, StandardCharsets.US_ASCII);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] read(FileChannel file, long offset, long size) throws IOException {
    if (size < 0 || size > MOST_BYTES) {
      throw new EOFException("too large to be a table");
    }
    byte[] bytes = new byte[(int) size];
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      if (file.read(left, offset + left.position()) < 0) {
        throw new EOFException("the file ends");
      }
    }
    return bytes;
  }
}
