// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which code of an execution was executed, system libraries left out: addresses as the linker gave
 * them, by the file that the code is from.
 */
public final class ExecutedCode {
  private static final String FILE = "executed";
  private static final int HEXADECIMAL = 16;
  private static final int FIELDS = 4;
  private static final String ANALYSED = "1";

  private final Map<Path, Ranges> all = new HashMap<>();
  private final Map<Path, Ranges> analysed = new HashMap<>();

  /** When code ran. */
  public enum When {
    /** Never. */
    NEVER,
    /** Only where the analysis had not begun, or had ended. */
    OUTSIDE,
    /** Where failure points count. */
    ANALYSED
  }

  /** Ranges of addresses, which neither overlap nor touch: ends by starts. */
  private static final class Ranges {
    private static final Ranges NONE = new Ranges();

    private final NavigableMap<Long, Long> ends = new TreeMap<>();

    void add(long from, long to) {
      long start = from;
      long end = to;
      Map.Entry<Long, Long> before = ends.floorEntry(end);
      while (before != null && before.getValue() >= start) {
        start = Math.min(start, before.getKey());
        end = Math.max(end, before.getValue());
        ends.remove(before.getKey());
        before = ends.floorEntry(end);
      }
      ends.put(start, end);
    }

    boolean meets(long start, long end) {
      Map.Entry<Long, Long> before = ends.lowerEntry(end);
      return before != null && before.getValue() > start;
    }
  }

  private ExecutedCode() {}

  /**
   * Reads what the recorder wrote.
   *
   * @param trace the directory of the trace
   * @return nothing if it was not asked to, or could not write all of it
   */
  public static Optional<ExecutedCode> read(Path trace) throws IOException {
    Path file = trace.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    ExecutedCode executed = new ExecutedCode();
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split(" ", FIELDS);
      long start = Long.parseUnsignedLong(fields[1], HEXADECIMAL);
      long end = start + Long.parseLong(fields[2], HEXADECIMAL);
      Path module = Path.of(fields[3]);
      executed.all.computeIfAbsent(module, unknown -> new Ranges()).add(start, end);
      if (fields[0].equals(ANALYSED)) {
        executed.analysed.computeIfAbsent(module, unknown -> new Ranges()).add(start, end);
      }
    }
    return Optional.of(executed);
  }

  /** The files of which any code ran. */
  public Set<Path> modules() {
    return Set.copyOf(all.keySet());
  }

  /**
   * When code of a range ran.
   *
   * @param start address of its first byte, as the linker gave it
   * @param end address after its last byte
   */
  public When ran(Path module, long start, long end) {
    if (analysed.getOrDefault(module, Ranges.NONE).meets(start, end)) {
      return When.ANALYSED;
    }
    return all.getOrDefault(module, Ranges.NONE).meets(start, end) ? When.OUTSIDE : When.NEVER;
  }
}
