// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at a program's file and asks the program for help, in an empty directory, with a time limit
 * and a memory limit.
 */
final class ProgramInspection {
  private static final int MOST_BYTES = 256 << 20;
  private static final Duration HELP_LIMIT = Duration.ofSeconds(5);
  private static final Duration DISASSEMBLY_LIMIT = Duration.ofSeconds(30);
  private static final String ELF = "\u007fELF";

  /** MAP_SHARED_VALIDATE and MAP_SYNC, as the flags of mmap. */
  private static final Pattern MAP_SYNC = Pattern.compile("\\$0x80003\\b");

  private static final Pattern FLUSH = Pattern.compile("\\t(clwb|clflushopt|clflush)\\b");

  /** Names of functions. */
  private static final Pattern CHANGE = Pattern.compile("mmap|\0(?:p?write|fwrite|fsync)");

  /** Of which it is not known what it does to files. */
  private static final Pattern OTHER_LIBRARY =
      Pattern.compile("\0lib(?!(?:c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so)[\\w+-]+\\.so\\.");

  private static final List<String> PMDK =
      List.of("libpmemobj", "libpmem2", "libpmem", "libpmemlog", "libpmemblk");

  private final Path program;
  private final Path scratch;

  private ProgramInspection(Path program, Path scratch) {
    this.program = program;
    this.scratch = scratch;
  }

  /**
   * Inspects a program.
   *
   * @param program its file
   * @param scratch an empty directory, in which it is asked for help
   */
  static ProgramFacts of(Path program, Path scratch) throws IOException {
    return new ProgramInspection(program.toAbsolutePath(), scratch).inspect();
  }

  private ProgramFacts inspect() throws IOException {
    String bytes;
    try (InputStream stream = Files.newInputStream(program)) {
      bytes = new String(stream.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
    }
    try (Supervisor supervisor = Supervisor.start()) {
      Optional<HelpText> help = help(supervisor);
      if (!bytes.startsWith(ELF)) {
        // What a script runs is not known.
        return new ProgramFacts(
            bytes.startsWith("#!") ? "a script of " + interpreter(bytes) : "no x86-64 program",
            bytes.contains("msync") || bytes.contains(".flush(")
                ? List.of("it flushes mapped files (msync)")
                : List.of(),
            true,
            help);
      }
      return new ProgramFacts(
          kind(bytes), persistence(bytes, supervisor), changesFiles(bytes), help);
    }
  }

  private static String interpreter(String script) {
    return script.lines().findFirst().orElse("").substring(2).strip();
  }

  private static String kind(String bytes) {
    boolean isX86 = bytes.length() > 19 && bytes.charAt(4) == 2 && bytes.charAt(18) == 0x3e;
    if (!isX86) {
      return "not for x86-64: it cannot be tested";
    }
    String linked = bytes.contains("/ld-linux") ? "an x86-64 program" : "a static x86-64 program";
    return bytes.contains(".symtab\0")
        ? linked + (bytes.contains(".debug_info\0") ? "" : "; -g would give its stacks lines")
        : linked + ", stripped: stacks have no functions of it";
  }

  private static boolean changesFiles(String bytes) {
    boolean isKnown = bytes.contains("/ld-linux") || bytes.contains(".symtab\0");
    return !isKnown || CHANGE.matcher(bytes).find() || OTHER_LIBRARY.matcher(bytes).find();
  }

  private List<String> persistence(String bytes, Supervisor supervisor) throws IOException {
    List<String> found = new ArrayList<>();
    for (String library : PMDK) {
      if (bytes.contains(library + ".so.")) {
        found.add("it links " + library);
      }
    }
    if (bytes.contains("\0msync\0")) {
      found.add("it calls msync");
    }
    if (bytes.contains("\0fsync\0") || bytes.contains("\0fdatasync\0")) {
      found.add("it calls fsync or fdatasync");
    }
    Path text = scratch.resolve("disassembly");
    CommandResult result =
        supervisor.run(
            CommandSpec.command("objdump", "-d", "-w", "--no-show-raw-insn", program.toString())
                .workingDirectory(scratch)
                .timeLimit(DISASSEMBLY_LIMIT)
                .outputFile(text)
                .outputLimit(DataSize.ofMebibytes(512))
                .build());
    if (result.isSuccess()) {
      addInstructions(text, found);
    }
    Files.deleteIfExists(text);
    return found;
  }

  private static void addInstructions(Path text, List<String> found) throws IOException {
    boolean[] seen = new boolean[2];
    try (Stream<String> lines = Files.lines(text, StandardCharsets.ISO_8859_1)) {
      lines.forEach(
          line -> {
            seen[0] |= MAP_SYNC.matcher(line).find();
            seen[1] |= FLUSH.matcher(line).find();
          });
    }
    if (seen[0]) {
      found.add("it maps files with MAP_SYNC (DAX)");
    }
    if (seen[1]) {
      found.add("it has flushes of its own (clwb, clflushopt or clflush)");
    }
  }

  private Optional<HelpText> help(Supervisor supervisor) throws IOException {
    Path place = Files.createDirectories(scratch.resolve("help"));
    CommandResult result =
        supervisor.run(
            CommandSpec.command(program.toString(), "--help")
                .workingDirectory(place)
                .environment("HOME", place.toString())
                .environment("TMPDIR", place.toString())
                .timeLimit(HELP_LIMIT)
                .memoryLimit(DataSize.ofMebibytes(1024))
                .build());
    String said = result.outputTail();
    return said.isBlank()
        ? Optional.empty()
        : Optional.of(new HelpText(said, String.valueOf(program.getFileName())));
  }
}
