// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import io.powercut.recorder.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether the programs that Powercut starts are there. */
final class ToolChecks {
  /** Valgrind's headers and libraries change between versions; the recorder is built for these. */
  private static final String VALGRIND_BUILT_FOR = "valgrind-3.19";

  private ToolChecks() {}

  /**
   * @param home the project's root
   * @param firstLine runs a command and gives the first line it prints, or nothing when it cannot
   *     be run
   */
  static List<Check> of(Path home, Function<List<String>, Optional<String>> firstLine) {
    List<Check> checks = new ArrayList<>();
    checks.add(
        Recorder.packaged(home, "valgrind")
            .map(program -> Check.ok("valgrind", program.toString()))
            .orElseGet(() -> valgrind(firstLine.apply(List.of("valgrind", "--version")))));
    checks.add(built("recorder", home.resolve("recorder/target/native/lib/powercut-amd64-linux")));
    checks.add(
        built("supervisor", home.resolve("process-control/target/native/powercut-supervisor")));
    checks.add(inlined(home.resolve("trace/target/native/powercut-inlined"), firstLine));
    checks.add(
        firstLine
            .apply(List.of("gdb", "--version"))
            .map(version -> Check.ok("gdb", version))
            .orElse(
                Check.warning(
                    "gdb",
                    "not found",
                    "apt-get install gdb: without it, crashes of recovery are reported without a stack")));
    return checks;
  }

  private static Check valgrind(Optional<String> version) {
    if (version.isEmpty()) {
      return Check.failure("valgrind", "not found", "apt-get install valgrind, then ./powercut");
    }
    return version.get().startsWith(VALGRIND_BUILT_FOR)
        ? Check.ok("valgrind", version.get())
        : Check.warning(
            "valgrind",
            version.get(),
            "the recorder is tested with "
                + VALGRIND_BUILT_FOR
                + "; run ./test before you trust it");
  }

  /** It needs a library that not every distribution has. */
  private static Check inlined(Path program, Function<List<String>, Optional<String>> firstLine) {
    String subject = "inlined functions";
    return firstLine
        .apply(List.of(program.toString(), "--help"))
        .map(usage -> Check.ok(subject, program.toString()))
        .orElse(
            Check.warning(
                subject,
                program + " does not start",
                "apt-get install libdw1: without it, functions inlined by clang, Go, or gcc with"
                    + " -flto have no names"));
  }

  private static Check built(String subject, Path file) {
    return Files.isExecutable(file)
        ? Check.ok(subject, file.toString())
        : Check.failure(
            subject,
            file + " is not there",
            "run ./powercut, which builds it; install a package again");
  }
}
