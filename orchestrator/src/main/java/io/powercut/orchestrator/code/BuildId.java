// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Reads the build id that a linker left in an ELF file of 64 bits (System V ABI, notes). */
public final class BuildId {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2};
  private static final int HEADER_SIZE = 64;
  private static final int PROGRAM_HEADERS_AT = 32;
  private static final int ENTRY_SIZE_AT = 54;
  private static final int PT_NOTE = 4;
  private static final int OFFSET_IN_ENTRY = 8;
  private static final int SIZE_IN_ENTRY = 32;
  private static final int NOTE_HEADER_SIZE = 12;
  private static final int NT_GNU_BUILD_ID = 3;
  private static final byte[] GNU = "GNU\0".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_NOTES = 1 << 16;

  private BuildId() {}

  /**
   * The build id, hexadecimal.
   *
   * @return nothing if the file has none, is no such file, or cannot be read
   */
  public static Optional<String> of(Path program) {
    try (FileChannel file = FileChannel.open(program)) {
      byte[] beginning = read(file, 0, HEADER_SIZE);
      if (!Arrays.equals(Arrays.copyOf(beginning, MAGIC.length), MAGIC)) {
        return Optional.empty();
      }
      ByteBuffer header = littleEndian(beginning);
      long headers = header.getLong(PROGRAM_HEADERS_AT);
      int size = header.getShort(ENTRY_SIZE_AT);
      int count = header.getShort(ENTRY_SIZE_AT + Short.BYTES);
      for (int index = 0; index < count; index++) {
        ByteBuffer entry = littleEndian(read(file, headers + (long) index * size, size));
        if (entry.getInt(0) == PT_NOTE) {
          int length = (int) Math.min(MOST_NOTES, entry.getLong(SIZE_IN_ENTRY));
          Optional<String> id = inNotes(read(file, entry.getLong(OFFSET_IN_ENTRY), length));
          if (id.isPresent()) {
            return id;
          }
        }
      }
      return Optional.empty();
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> inNotes(byte[] bytes) {
    ByteBuffer notes = littleEndian(bytes);
    int at = 0;
    while (at + NOTE_HEADER_SIZE <= notes.limit()) {
      int nameSize = notes.getInt(at);
      int size = notes.getInt(at + Integer.BYTES);
      int name = at + NOTE_HEADER_SIZE;
      int content = name + padded(nameSize);
      if (notes.getInt(at + 2 * Integer.BYTES) == NT_GNU_BUILD_ID
          && Arrays.equals(bytes, name, name + nameSize, GNU, 0, GNU.length)) {
        return Optional.of(HexFormat.of().formatHex(bytes, content, content + size));
      }
      at = content + padded(size);
    }
    return Optional.empty();
  }

  private static int padded(int size) {
    return (size + 3) & ~3;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] read(FileChannel file, long offset, int size) throws IOException {
    byte[] bytes = new byte[size];
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      if (file.read(left, offset + left.position()) < 0) {
        throw new EOFException();
      }
    }
    return bytes;
  }
}
