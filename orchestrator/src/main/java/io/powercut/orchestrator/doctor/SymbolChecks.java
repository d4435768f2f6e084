// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import io.powercut.orchestrator.code.LibrarySymbols;
import io.powercut.tree.PythonCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether functions of PMDK's libraries and of Python programs have names in reports. */
final class SymbolChecks {
  private SymbolChecks() {}

  /**
   * @param libraries the folder of shared libraries
   */
  static List<Check> of(Path libraries, LibrarySymbols symbols) {
    List<Check> checks = new ArrayList<>();
    if (!Files.isDirectory(libraries)) {
      return checks;
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(libraries, "libpmem{,2,obj}.so.1")) {
      for (Path file : files) {
        checks.add(check(file, symbols));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return checks;
  }

  /**
   * @param version what {@code python3 --version} prints, if it is there
   */
  static Optional<Check> ofPython(Optional<String> version) {
    return version
        .filter(text -> text.startsWith("Python "))
        .map(
            text ->
                PythonCode.KNOWN_VERSIONS.stream().anyMatch(known -> text.contains(known + "."))
                    ? Check.ok("symbols: python3", text)
                    : Check.warning(
                        "symbols: python3",
                        text + ": failure points in Python programs have the interpreter's names",
                        "run them with Python " + String.join(", ", PythonCode.KNOWN_VERSIONS)));
  }

  private static Check check(Path library, LibrarySymbols symbols) {
    String subject = "symbols: " + library.getFileName();
    return symbols
        .missing(library)
        .map(
            wanted ->
                Check.warning(
                    subject,
                    "none: its own functions have no names in reports",
                    LibrarySymbols.remedy(wanted.isEmpty() ? Set.of() : Set.of(wanted))))
        .orElseGet(() -> Check.ok(subject, "there"));
  }
}
