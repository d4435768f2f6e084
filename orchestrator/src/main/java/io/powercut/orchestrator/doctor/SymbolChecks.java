// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import io.powercut.orchestrator.code.LibrarySymbols;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether functions of PMDK's libraries have names in reports. */
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
