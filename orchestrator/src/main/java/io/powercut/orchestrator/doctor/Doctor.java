// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import io.powercut.orchestrator.code.LibrarySymbols;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Looks at the machine and says what is missing. */
public final class Doctor {
  private Doctor() {}

  /**
   * All checks, in the order in which they are to be shown.
   *
   * @param home the project's root
   * @param runs where run directories will be made
   * @param firstLine runs a command and gives the first line it prints, or nothing when it cannot
   *     be run
   */
  public static List<Check> examine(
      Path home, Path runs, Function<List<String>, Optional<String>> firstLine) {
    List<Check> checks = new ArrayList<>();
    checks.addAll(
        ProcessorChecks.of(
            lines(Path.of("/proc/cpuinfo")),
            System.getProperty("os.arch", ""),
            Runtime.getRuntime().availableProcessors()));
    checks.addAll(StorageChecks.of(Path.of("/dev/shm"), runs, lines(Path.of("/proc/mounts"))));
    checks.addAll(ToolChecks.of(home, firstLine));
    checks.addAll(
        SymbolChecks.of(
            Path.of("/usr/lib/x86_64-linux-gnu"),
            new LibrarySymbols(Path.of("/usr/lib/debug/.build-id"), firstLine)));
    SymbolChecks.ofPython(firstLine.apply(List.of("python3", "--version"))).ifPresent(checks::add);
    return List.copyOf(checks);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
