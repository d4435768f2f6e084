// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of the functions that the symbol tables of a 64-bit ELF file define, as they are there:
 * those of C++ are mangled.
 */
public final class FunctionNames {
  private static final int SYMBOL_BYTES = 24;
  private static final int SYMBOL_TABLE = 2;
  private static final int DYNAMIC_SYMBOL_TABLE = 11;
  private static final int FUNCTION = 2;
  private static final int INDIRECT_FUNCTION = 10;

  private final ByteBuffer file;
  private final Set<String> names = new TreeSet<>();
  private boolean isWhole;

  private FunctionNames(ByteBuffer file) {
    this.file = file.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a file's tables.
   *
   * @return nothing if it is no ELF file that can be read
   */
  public static Optional<FunctionNames> of(Path path) {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      FunctionNames names = new FunctionNames(bytes);
      names.read();
      return Optional.of(names);
    } catch (IOException | RuntimeException damagedOrGone) {
      return Optional.empty();
    }
  }

  /** All names. */
  public Set<String> names() {
    return names;
  }

  /** Whether the file was not stripped, so that a function without a name there does not exist. */
  public boolean isWhole() {
    return isWhole;
  }

  private void read() {
    if (file.getInt(0) != 0x464c457f) {
      throw new IllegalArgumentException("not an ELF file");
    }
    int sections = Math.toIntExact(file.getLong(40));
    int size = Short.toUnsignedInt(file.getShort(58));
    int count = Short.toUnsignedInt(file.getShort(60));
    for (int index = 0; index < count; index++) {
      int section = sections + index * size;
      int type = file.getInt(section + 4);
      isWhole |= type == SYMBOL_TABLE;
      if (type == SYMBOL_TABLE || type == DYNAMIC_SYMBOL_TABLE) {
        readSymbols(section, sections + file.getInt(section + 40) * size);
      }
    }
  }

  private void readSymbols(int section, int strings) {
    int begin = Math.toIntExact(file.getLong(section + 24));
    int end = begin + Math.toIntExact(file.getLong(section + 32));
    int text = Math.toIntExact(file.getLong(strings + 24));
    for (int symbol = begin; symbol + SYMBOL_BYTES <= end; symbol += SYMBOL_BYTES) {
      int type = file.get(symbol + 4) & 0xf;
      boolean defined = file.getShort(symbol + 6) != 0;
      if (defined && (type == FUNCTION || type == INDIRECT_FUNCTION)) {
        names.add(text(text + file.getInt(symbol)));
      }
    }
  }

  private String text(int begin) {
    int end = begin;
    while (file.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - begin];
    file.get(begin, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
