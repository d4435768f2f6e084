// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which instruction of its function an address is, as gdb disassembles it. Safe for use by several
 * threads.
 */
final class Disassembly {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Pattern INSTRUCTION =
      Pattern.compile(
          "^\\s*(0x[0-9a-f]+) <\\+\\d+>:\\s+(?:(?:lock|rep\\w*|data16|bnd)\\s+)*(\\S+)(.*)$");

  /** What an instruction does, as far as it distinguishes places. */
  private enum Deed {
    STORE,
    CALL,
    FLUSH,
    OTHER
  }

  private record Instruction(long address, Deed deed) {}

  private record Place(Path module, long address) {}

  private final Map<Place, Optional<String>> known = new HashMap<>();

  /**
   * What number of its kind the instruction has in its function: {@code store 3}.
   *
   * @param module the binary
   * @param address in it, as the linker assigned it; that of a call may be inside the instruction
   * @return nothing when the binary or gdb is not there, or no function is known at the address
   */
  synchronized Optional<String> ordinal(Path module, long address) {
    return known.computeIfAbsent(new Place(module, address), Disassembly::find);
  }

  private static Optional<String> find(Place place) {
    return ordinal(disassemble(place), place.address());
  }

  /**
   * The same in what gdb printed.
   *
   * @param lines one for each instruction of the function, and others
   */
  static Optional<String> ordinal(List<String> lines, long address) {
    Map<Deed, Integer> ordinals = new EnumMap<>(Deed.class);
    Optional<String> found = Optional.empty();
    for (Instruction instruction : instructions(lines)) {
      if (Long.compareUnsigned(instruction.address(), address) > 0) {
        break;
      }
      int ordinal = ordinals.merge(instruction.deed(), 1, Integer::sum);
      found = Optional.of(instruction.deed().name().toLowerCase(Locale.ROOT) + " " + ordinal);
    }
    return found;
  }

  private static List<String> disassemble(Place place) {
    if (!Files.isRegularFile(place.module())) {
      return List.of();
    }
    try {
      Path output = Files.createTempFile("powercut-disassembly", ".txt");
      try (Supervisor supervisor = Supervisor.start()) {
        supervisor.run(
            CommandSpec.command(
                    "gdb",
                    "-nx",
                    "-batch",
                    "-iex",
                    "set debuginfod enabled off",
                    "-iex",
                    "set auto-load off",
                    "-ex",
                    "disassemble 0x" + Long.toHexString(place.address()),
                    place.module().toString())
                .timeLimit(LIMIT)
                .outputFile(output)
                .build());
        return Files.readAllLines(output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException | IllegalStateException e) {
      return List.of();
    }
  }

  private static List<Instruction> instructions(List<String> lines) {
    List<Instruction> instructions = new ArrayList<>();
    for (String line : lines) {
      Matcher matcher = INSTRUCTION.matcher(line);
      if (matcher.matches()) {
        instructions.add(
            new Instruction(
                Long.decode(matcher.group(1)), deed(matcher.group(2), matcher.group(3).strip())));
      }
    }
    return instructions;
  }

  /**
   * In the AT&amp;T syntax, in which gdb prints by default, the last operand is the one written.
   */
  private static Deed deed(String name, String operands) {
    if (name.startsWith("call")) {
      return Deed.CALL;
    }
    if (name.startsWith("clflush") || name.startsWith("clwb") || name.endsWith("fence")) {
      return Deed.FLUSH;
    }
    boolean onlyReads = name.startsWith("cmp") && !name.startsWith("cmpxchg");
    onlyReads |= name.matches("test.*|lea.*|nop.*|jmp.*|prefetch.*|bt[lqw]?|push.*|mul.*|div.*");
    boolean writesMemory =
        operands.replaceAll("\\s*[#<].*", "").endsWith(")") && !operands.matches(".*\\(%r[sb]p\\)");
    return writesMemory && !onlyReads ? Deed.STORE : Deed.OTHER;
  }
}
