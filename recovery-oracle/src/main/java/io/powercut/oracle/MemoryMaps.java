// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was mapped where in a process: the text of {@code /proc/PID/maps}. */
final class MemoryMaps {
  private static final Pattern LINE =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) \\S+ \\S+ \\S+ \\d+\\s+(/.*)");

  /** Where an ELF file says what it is, and what it says then. */
  private static final int TYPE_AT = 16;

  private static final byte FIXED_EXECUTABLE = 2;

  /**
   * Where an address is.
   *
   * @param module the file that is mapped there
   * @param offset the address as the linker assigned it, which {@code addr2line} takes: relative to
   *     the module's lowest mapping, unless the module is at a fixed place
   */
  record Place(String module, long offset) {}

  private record Mapping(long start, long end, String module) {}

  private final List<Mapping> mappings = new ArrayList<>();
  private final Map<String, Long> bases = new HashMap<>();

  MemoryMaps(String text) {
    text.lines().map(LINE::matcher).filter(Matcher::matches).forEach(this::add);
  }

  private void add(Matcher line) {
    long start = Long.parseUnsignedLong(line.group(1), 16);
    mappings.add(new Mapping(start, Long.parseUnsignedLong(line.group(2), 16), line.group(3)));
    bases.merge(line.group(3), start, Math::min);
  }

  Optional<Place> place(long address) {
    return mappings.stream()
        .filter(mapping -> mapping.start <= address && address < mapping.end)
        .findFirst()
        .map(mapping -> new Place(mapping.module, address - base(mapping.module)));
  }

  private long base(String module) {
    return isAtFixedPlace(Path.of(module)) ? 0 : bases.getOrDefault(module, 0L);
  }

  /** Whether it is an executable that is not position independent. */
  private static boolean isAtFixedPlace(Path module) {
    try (InputStream file = Files.newInputStream(module)) {
      byte[] header = file.readNBytes(TYPE_AT + 1);
      return header.length > TYPE_AT && header[0] == 0x7f && header[TYPE_AT] == FIXED_EXECUTABLE;
    } catch (IOException goneMeanwhile) {
      return false;
    }
  }
}
