// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.report.evidence.StackFrame;
import io.powercut.trace.replay.InlinedReader;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.zeroturnaround.exec.ProcessExecutor;

/**
 * Names and lines of addresses in binaries, as binutils read them from symbols and debug
 * information.
 */
final class Symbols {
  /**
   * An address.
   *
   * @param module the file
   * @param offset as its symbols have it
   */
  record Place(Path module, long offset) {}

  private record Variable(String name, long begin, long size) {}

  private static final long SECONDS = 120;
  private static final Pattern LINE =
      Pattern.compile("(.*):(\\d+|\\?)(?: \\(discriminator \\d+\\))?");
  private static final Pattern VARIABLE =
      Pattern.compile("([0-9a-f]+) ([0-9a-f]+) [bBdDrRuVvsSgG] (.*)");

  private final Map<Place, List<StackFrame>> frames = new HashMap<>();
  private final Map<Path, NavigableMap<Long, Variable>> variables = new HashMap<>();

  /** Looks these up together: each start of a tool takes some time. */
  void load(Collection<Place> places) {
    Map<Path, TreeSet<Long>> wanted = new HashMap<>();
    for (Place place : places) {
      if (!frames.containsKey(place)) {
        wanted.computeIfAbsent(place.module(), module -> new TreeSet<>()).add(place.offset());
      }
    }
    wanted.forEach(this::loadModule);
  }

  private void loadModule(Path module, Set<Long> offsets) {
    if (!Files.isRegularFile(module)) {
      return;
    }
    try {
      Path asked = Files.createTempFile("powercut-addresses", "");
      try {
        Files.write(asked, offsets.stream().map(Symbols::hexadecimal).toList());
        read(
            module,
            lines(
                List.of(
                    "addr2line", "-a", "-f", "-i", "-C", "-e", module.toString(), "@" + asked)));
        nameInnermost(module, offsets);
      } finally {
        Files.delete(asked);
      }
    } catch (IOException e) {
      // Reports show offsets instead.
    }
  }

  /**
   * binutils calls the innermost function by the symbol around it unless debug information has the
   * name that the linker uses. It has none for C++ functions that no other file can call. Of an
   * inlined one, that would be its caller's name.
   */
  private void nameInnermost(Path module, Set<Long> offsets) {
    try (InlinedReader reader = new InlinedReader(module, "")) {
      for (long offset : offsets) {
        List<StackFrame> found = frames.getOrDefault(new Place(module, offset), List.of());
        if (found.size() > 1) {
          List<SourcePosition> read = reader.at(offset);
          if (read.size() == found.size() && read.get(0).line() == found.get(0).line()) {
            found.set(0, named(found.get(0), read.get(0).function()));
          }
        }
      }
    }
  }

  private static StackFrame named(StackFrame frame, String function) {
    return function.isEmpty()
        ? frame
        : new StackFrame(function, frame.file(), frame.line(), frame.module(), frame.offset());
  }

  private static String hexadecimal(long offset) {
    return "0x" + Long.toHexString(offset);
  }

  private void read(Path module, List<String> lines) {
    List<StackFrame> found = new ArrayList<>();
    Place place = new Place(module, 0);
    for (int index = 0; index < lines.size(); ) {
      String line = lines.get(index);
      if (line.startsWith("0x")) {
        place = new Place(module, Long.parseUnsignedLong(line.substring(2), 16));
        found = new ArrayList<>();
        frames.put(place, found);
        index++;
      } else if (index + 1 < lines.size()) {
        found.add(frame(line, lines.get(index + 1), place));
        index += 2;
      } else {
        break;
      }
    }
  }

  private static StackFrame frame(String function, String source, Place place) {
    Matcher line = LINE.matcher(source);
    boolean known = line.matches() && !line.group(1).equals("??");
    return new StackFrame(
        function.equals("??") ? "" : function,
        known ? normal(line.group(1), place.module()) : "",
        known && !line.group(2).equals("?") ? Integer.parseInt(line.group(2)) : 0,
        String.valueOf(place.module().getFileName()),
        hexadecimal(place.offset()));
  }

  private static String normal(String file, Path module) {
    Path path = Path.of(file);
    return (path.isAbsolute() ? path : module.resolveSibling(path)).normalize().toString();
  }

  /** The frames of an address, those of inlined functions first. */
  List<StackFrame> frames(Place place) {
    List<StackFrame> known = frames.get(place);
    return known != null && !known.isEmpty()
        ? known
        : List.of(
            new StackFrame(
                "",
                "",
                0,
                String.valueOf(place.module().getFileName()),
                hexadecimal(place.offset())));
  }

  /** The variable at an address, with the distance from its beginning. */
  Optional<String> variable(Place place) {
    NavigableMap<Long, Variable> all =
        variables.computeIfAbsent(place.module(), Symbols::readVariables);
    Map.Entry<Long, Variable> before = all.floorEntry(place.offset());
    if (before == null || place.offset() >= before.getKey() + before.getValue().size()) {
      return Optional.empty();
    }
    long distance = place.offset() - before.getKey();
    return Optional.of(before.getValue().name() + (distance == 0 ? "" : "+" + distance));
  }

  private static NavigableMap<Long, Variable> readVariables(Path module) {
    NavigableMap<Long, Variable> all = new TreeMap<>();
    for (String line : lines(List.of("nm", "-S", "-C", "--defined-only", module.toString()))) {
      Matcher variable = VARIABLE.matcher(line);
      if (variable.matches()) {
        long begin = Long.parseUnsignedLong(variable.group(1), 16);
        long size = Long.parseUnsignedLong(variable.group(2), 16);
        all.put(begin, new Variable(variable.group(3), begin, size));
      }
    }
    return all;
  }

  private static List<String> lines(List<String> command) {
    try {
      return new ProcessExecutor(command)
          .readOutput(true)
          .timeout(SECONDS, TimeUnit.SECONDS)
          .execute()
          .getOutput()
          .getLinesAsUTF8();
    } catch (IOException | TimeoutException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
