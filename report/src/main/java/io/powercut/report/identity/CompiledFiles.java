// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
import io.powercut.process.Supervisor;
import io.powercut.tree.UserCode;
import io.powercut.tree.source.SourcePaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The source files of the user's that binaries were compiled from, as their debug information names
 * them. They are asked once for each binary. Safe for use by several threads.
 */
final class CompiledFiles {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Map<Path, List<Path>> known = new HashMap<>();

  /**
   * What to call a source file: by its base name. Where there are others of that name, it is by its
   * path from the folder that they have in common: moving all of them changes nothing.
   *
   * @param module the binary
   * @param file its path, as debug information has it
   * @param counts whether one of the others counts
   */
  String name(Path module, String file, Predicate<Path> counts) {
    try {
      Path own = Path.of(file);
      return name(
          own,
          of(module).stream()
              .filter(other -> isOther(other, own))
              .filter(counts)
              .filter(other -> !isSame(other, own))
              .toList());
    } catch (InvalidPathException e) {
      return file.substring(file.lastIndexOf('/') + 1);
    }
  }

  /** The same, if these are the others. */
  static String name(Path own, Collection<Path> others) {
    int common = own.getNameCount() - 1;
    for (Path other : others) {
      int equal = 0;
      while (equal < Math.min(common, other.getNameCount() - 1)
          && own.getName(equal).equals(other.getName(equal))) {
        equal++;
      }
      common = Math.min(common, equal);
    }
    return own.getNameCount() == 0 ? "" : own.subpath(common, own.getNameCount()).toString();
  }

  private static boolean isOther(Path other, Path own) {
    return own.getNameCount() > 0
        && own.isAbsolute()
        && other.isAbsolute()
        && own.getFileName().equals(other.getFileName())
        && !own.equals(other);
  }

  /** Whether one path is a link to the other, or leads there by one. */
  private static boolean isSame(Path other, Path own) {
    try {
      return Files.isSameFile(other, own);
    } catch (IOException e) {
      return false; // It is not on this machine.
    }
  }

  private synchronized List<Path> of(Path module) {
    return known.computeIfAbsent(module, CompiledFiles::read);
  }

  private static List<Path> read(Path module) {
    if (!Files.isRegularFile(module)) {
      return List.of();
    }
    try {
      Path output = Files.createTempFile("powercut-sources", ".txt");
      try (Supervisor supervisor = Supervisor.start()) {
        supervisor.run(
            CommandSpec.command(
                    PowercutHome.nativeProgram("trace", "powercut-inlined").toString(),
                    module.toString(),
                    "--sources")
                .timeLimit(LIMIT)
                .outputFile(output)
                .build());
        return Files.readAllLines(output, StandardCharsets.ISO_8859_1).stream()
            .map(SourcePaths::normal)
            .filter(file -> !UserCode.isOfSystem(file))
            .map(Path::of)
            .distinct()
            .toList();
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException | IllegalStateException | InvalidPathException e) {
      return List.of(); // Then base names have to do.
    }
  }
}
