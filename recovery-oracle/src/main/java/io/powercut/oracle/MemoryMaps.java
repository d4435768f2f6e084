// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

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

  /**
   * Where an address is.
   *
   * @param module the file that is mapped there
   * @param offset the address relative to the module's lowest mapping
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
        .map(
            mapping -> new Place(mapping.module, address - bases.getOrDefault(mapping.module, 0L)));
  }
}
