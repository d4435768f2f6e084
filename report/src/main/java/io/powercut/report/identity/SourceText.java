// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FunctionName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The texts of source lines. Safe for use by several threads. */
final class SourceText {
  private static final int BYTES_READ = 4 << 20;

  private final Map<Path, List<String>> files = new ConcurrentHashMap<>();

  /**
   * The text of a frame's line, white space made one. Where the function has equal lines before it,
   * it says how many.
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
        lines.subList(beginning(lines, frame), frame.line() - 1).stream()
            .filter(line -> normalised(line).equals(text))
            .count();
    return Optional.of(before == 0 ? text : text + " #" + (before + 1))
        .filter(known -> !text.isEmpty());
  }

  private static String normalised(String line) {
    return line.strip().replaceAll("\\s+", " ");
  }

  /**
   * Where the function begins, from 0: at the nearest line above that has its name and is indented
   * less. Where there is none, as before what a macro makes, at the beginning of the file.
   */
  private static int beginning(List<String> lines, StackFrame frame) {
    String name = FunctionName.of(frame.function()).simple();
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
