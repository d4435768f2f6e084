// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FunctionName;
import io.powercut.tree.source.SourceFunctions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The texts of source lines. Safe for use by several threads. */
final class SourceText {
  private static final int BYTES_READ = 4 << 20;

  private final Map<Path, List<String>> files = new ConcurrentHashMap<>();

  /**
   * The text of a frame's line, white space made one. Where the function has equal lines before it,
   * or others of its name in that file have, it says how many: overloads, and methods of other
   * classes.
   *
   * @return nothing when the source is not on this machine or the line is blank
   */
  Optional<String> of(StackFrame frame) {
    List<String> lines = path(frame.file()).map(this::lines).orElse(List.of());
    if (frame.line() < 1 || frame.line() > lines.size()) {
      return Optional.empty();
    }
    String text = normalised(lines.get(frame.line() - 1));
    long before =
        linesBefore(lines, frame)
            .filter(line -> normalised(lines.get(line - 1)).equals(text))
            .count();
    return Optional.of(before == 0 ? text : text + " #" + (before + 1))
        .filter(known -> !text.isEmpty());
  }

  /**
   * Whether a function of the frame's in another file has a line with the same text: if it does not
   * define such a function, any line of it.
   */
  boolean hasSameLine(StackFrame frame, Path other) {
    List<String> lines = path(frame.file()).map(this::lines).orElse(List.of());
    List<String> others = lines(other);
    BitSet defined = SourceFunctions.linesOf(other.toString(), name(frame));
    if (defined.isEmpty()) {
      defined.set(1, others.size() + 1);
    }
    return frame.line() >= 1
        && frame.line() <= lines.size()
        && defined.stream()
            .filter(line -> line <= others.size())
            .mapToObj(line -> normalised(others.get(line - 1)))
            .anyMatch(normalised(lines.get(frame.line() - 1))::equals);
  }

  /**
   * Lines of the frame's function, and of others of its name, that are before that of the frame.
   */
  private static IntStream linesBefore(List<String> lines, StackFrame frame) {
    BitSet defined = SourceFunctions.linesOf(frame.file(), name(frame));
    return defined.get(frame.line())
        ? defined.stream().takeWhile(line -> line < frame.line())
        : IntStream.range(beginning(lines, frame) + 1, frame.line());
  }

  private static String name(StackFrame frame) {
    return FunctionName.of(frame.function()).simple();
  }

  private static String normalised(String line) {
    return line.strip().replaceAll("\\s+", " ");
  }

  /**
   * Where a function begins, from 0, whose definition is not understood: at the nearest line above
   * that has its name and is indented less. Where there is none, as before what a macro makes, at
   * the beginning of the file.
   */
  private static int beginning(List<String> lines, StackFrame frame) {
    String name = name(frame);
    Pattern declaration = Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "\\s*[(<]");
    int indentation = indentation(lines.get(frame.line() - 1));
    for (int line = frame.line() - 2; line >= 0 && !name.isEmpty(); line--) {
      if (indentation(lines.get(line)) < indentation
          && declaration.matcher(lines.get(line)).find()) {
        return line;
      }
    }
    return 0;
  }

  private static int indentation(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static Optional<Path> path(String file) {
    try {
      return Optional.of(Path.of(file).normalize()).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private List<String> lines(Path file) {
    return files.computeIfAbsent(file, SourceText::read);
  }

  /** The names come from the target's binary, so they can name anything: devices, pipes, disks. */
  private static List<String> read(Path file) {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_READ), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
