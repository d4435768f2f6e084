// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.untested;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.facts.Untested;
import io.powercut.trace.replay.ExecutedCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two programs, in which a library of three functions is linked. */
class UntestedFunctionsTest {
  private static final Map<String, String> FILES =
      Map.of("0x1000", "/x/store.c", "0x2000", "/x/store.c", "0x3000", "/x/store.c");

  @TempDir private Path folder;

  private static String function(String address, String name) {
    return "%s <%s>:\n    %s:\tclwb   (%%rdi)\n\n"
        .formatted("0".repeat(12) + address, name, address);
  }

  /** Each address is of a file; main's differs. */
  private Optional<Path> run(List<String> command, String own) {
    try {
      Path output = folder.resolve("output");
      boolean isDisassembly = command.get(0).equals("objdump");
      if (command.get(0).equals("addr2line")) {
        return Optional.of(Files.writeString(output, ""));
      }
      return Optional.of(
          Files.writeString(
              output,
              isDisassembly
                  ? "Disassembly of section .text:\n\n"
                      + function("1000", "put")
                      + function("2000", "drop")
                      + function("3000", "clear")
                      + function("4000", "finish")
                  : Files.readAllLines(Path.of(command.get(2).substring(1))).stream()
                      .map(at -> "f\t" + FILES.getOrDefault(at, own) + "\n\n")
                      .collect(Collectors.joining())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Boolean> untested(String... executed) throws IOException {
    Files.write(folder.resolve("executed"), List.of(executed));
    ExecutedCode code = ExecutedCode.read(folder).orElseThrow();
    Untested found =
        new UntestedFunctions(
                code,
                Files.createDirectories(folder.resolve("scratch")),
                command ->
                    run(command, command.contains("/x/writer") ? "/x/writer.c" : "/x/cleaner.c"))
            .find()
            .orElseThrow();
    return found.functions().stream()
        .collect(
            Collectors.toMap(
                one -> one.module() + " " + one.function(),
                Untested.Function::outsideOnly,
                (one, other) -> one,
                TreeMap::new));
  }

  @Test
  void functionThatAnyProgramTestsShouldBeTestedAndAnotherOneBeNamedOnce() throws IOException {
    assertThat(untested("1 1000 4 /x/writer", "1 2000 4 /x/cleaner", "0 3000 4 /x/writer"))
        .containsExactly(
            Map.entry("cleaner clear", true),
            Map.entry("cleaner finish", false),
            Map.entry("writer finish", false));
  }
}
