// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.TraceEvent;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Valgrind cannot read of functions that gcc inlined. */
class InlinedFunctionsTest {
  private static final String SOURCE =
      """
      static int *number;
      static inline void set(int value)
      {
        __asm__ volatile("nop");
        *number = value;
      }
      static inline void twice(int value)
      {
        set(value);
        set(2 * value);
      }
      int main(int argc, char **argv)
      {
        number = &argc;
        twice(argc);
        return *number + (argv == 0);
      }
      """;

  /** One of the names is mangled as Rust does it. */
  private static final String MANGLED =
      """
      static int *number;
      namespace store {
      struct Cell {
        static inline void set(int value) __asm__("_ZN2si4Cell3set17h5e19406c80157c9fE");
        template <typename T> static void put(T value)
        {
          asm volatile("nop");
          *number = value;
          set(value);
        }
      };
      inline void Cell::set(int value)
      {
        asm volatile("nop");
        *number += value;
      }
      }
      int main(int argc, char **argv)
      {
        number = &argc;
        store::Cell::put<long>(argc);
        return *number + (argv == 0);
      }
      """;

  private static final Pattern NOP = Pattern.compile("(?m)^\\s*([0-9a-f]+):\\s.*\\bnop$");
  private static final SourcePosition SYMBOL = new SourcePosition("main(int)", "", 0);

  @TempDir private Path directory;

  private Path compiled(String... options) throws Exception {
    return compiled("gcc", Files.writeString(directory.resolve("a.c"), SOURCE), options);
  }

  private Path compiled(String compiler, Path source, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(compiler, "-O2", "-g", "-o", "a"));
    command.addAll(Arrays.asList(options));
    command.add(source.toString());
    assertThat(new ProcessBuilder(command).directory(directory.toFile()).start().waitFor())
        .isZero();
    return directory.resolve("a");
  }

  /** The first instruction of each of the two functions {@code set}. */
  private List<Long> addresses(Path program) throws Exception {
    Process objdump =
        new ProcessBuilder("objdump", "-d", "--no-show-raw-insn", program.toString()).start();
    String text = new String(objdump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String main = text.substring(text.indexOf("<main>:"));
    List<Long> found = new ArrayList<>();
    for (Matcher nop = NOP.matcher(main.substring(0, main.indexOf("\n\n"))); nop.find(); ) {
      found.add(Long.parseLong(nop.group(1), 16));
    }
    assertThat(found).hasSize(2);
    return found;
  }

  private static List<String> words(List<SourcePosition> positions) {
    return positions.stream()
        .map(one -> one.function() + " at " + one.fileName() + ":" + one.line())
        .toList();
  }

  private static List<SourcePosition> positions(
      Path program, String buildId, long address, List<SourcePosition> known) {
    return InlinedFunctions.of(
        new TraceEvent.ModuleDefined(0, 1, 1, program.toString(), buildId, 0),
        new TraceEvent.SiteDefined(1, 1, 1, 1, address, known));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-gsplit-dwarf", "-flto", "-gdwarf-4", "-gdwarf-5"})
  void functionsShouldBeNamedWithTheCallsThatWereInlined(String option) throws Exception {
    Path program = compiled(option);
    List<Long> addresses = addresses(program);
    try (InlinedReader reader = new InlinedReader(program, "")) {
      assertThat(words(reader.at(addresses.get(0))))
          .containsExactly("set at a.c:4", "twice at a.c:9", "main at a.c:15");
      assertThat(words(reader.at(addresses.get(1))))
          .containsExactly("set at a.c:4", "twice at a.c:10", "main at a.c:15");
      assertThat(reader.at(addresses.get(0)).get(0).file())
          .isEqualTo(directory.resolve("a.c").toString());
      assertThat(reader.at(1)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-gdwarf-4", "-gdwarf-5"})
  void headerThatIsNamedFromWhereTheCompilerRanShouldBeFound(String version) throws Exception {
    Path header = directory.resolve("include/set.h");
    Files.createDirectory(header.getParent());
    Files.writeString(header, SOURCE);
    Path source = Files.writeString(directory.resolve("a.c"), "#include <./set.h>\n");
    Path program = compiled("gcc", source, version, "-gsplit-dwarf", "-Iinclude");
    try (InlinedReader reader = new InlinedReader(program, "")) {
      assertThat(reader.at(addresses(program).get(0)))
          .extracting(SourcePosition::file)
          .allSatisfy(file -> assertThat(Path.of(file)).isAbsolute().hasSameBinaryContentAs(header))
          .containsOnly(header.toString());
    }
  }

  /** Clang has no line for code that it merged from several ones. */
  @Test
  void codeWithoutALineShouldHaveThatOfTheCodeBeforeItInItsFunction() throws Exception {
    Path source = directory.resolve("a.c");
    String nop = "__asm__ volatile(\"nop\");\n";
    Files.writeString(
        source, SOURCE.replace(nop, "*number = 0;\n#line 1004\n" + nop + "#line 5\n"));
    compiled("gcc", source, "-S", "-gno-as-loc-support");
    // No assembler takes line 0, so the steps from line 4 to 1004 and on to 5 lead to 0 instead.
    Path assembly = directory.resolve("a.s");
    Files.writeString(
        assembly,
        Files.readString(directory.resolve("a"))
            .replace(".sleb128 1000\n", ".sleb128 -4\n")
            .replace(".sleb128 -999\n", ".sleb128 5\n"));
    Path program = compiled("gcc", assembly);
    List<Long> addresses = addresses(program);
    try (InlinedReader reader = new InlinedReader(program, "")) {
      assertThat(words(reader.at(addresses.get(0))))
          .containsExactly("set at a.c:4", "twice at a.c:9", "main at a.c:15");
      assertThat(words(reader.at(addresses.get(1))))
          .containsExactly("set at a.c:4", "twice at a.c:10", "main at a.c:15");
    }
    assertThat(
            words(
                positions(
                    program,
                    "",
                    addresses.get(0),
                    List.of(new SourcePosition("main(int)", "/a.c", 0)))))
        .as("as Valgrind says it")
        .containsExactly("set at a.c:4", "twice at a.c:9", "main(int) at a.c:15");
  }

  /** As distributions pack it. */
  @Test
  void theyShouldBeReadFromAnotherFileIfValgrindCouldNot() throws Exception {
    Path program = compiled();
    long address = addresses(program).get(0);
    for (String command :
        List.of(
            "objcopy --only-keep-debug a a.debug",
            "strip -g a",
            "objcopy --add-gnu-debuglink=a.debug a")) {
      assertThat(
              new ProcessBuilder(command.split(" "))
                  .directory(directory.toFile())
                  .start()
                  .waitFor())
          .isZero();
    }
    SourcePosition known = new SourcePosition("main(int)", "/a.c", 15);

    assertThat(words(positions(program, "", address, List.of(SYMBOL))))
        .containsExactly("set at a.c:4", "twice at a.c:9", "main(int) at a.c:15");
    assertThat(positions(program, "", address, List.of(known))).containsExactly(known);
    Files.delete(directory.resolve("a.debug"));
    Files.setLastModifiedTime(program, FileTime.from(Instant.EPOCH));
    assertThat(positions(program, "", address, List.of(SYMBOL))).containsExactly(SYMBOL);
  }

  @Test
  void namesShouldHaveTheirScopesAndNoHashes() throws Exception {
    Path program = compiled("g++", Files.writeString(directory.resolve("a.cc"), MANGLED));
    List<Long> addresses = addresses(program);
    try (InlinedReader reader = new InlinedReader(program, "")) {
      assertThat(words(reader.at(addresses.get(0))))
          .containsExactly("void store::Cell::put<long>(long) at a.cc:7", "main at a.cc:21");
      assertThat(words(reader.at(addresses.get(1))))
          .containsExactly(
              "si::Cell::set at a.cc:14",
              "void store::Cell::put<long>(long) at a.cc:9",
              "main at a.cc:21");
    }
  }

  @Test
  void theyShouldBeReadWhereValgrindCannot() throws Exception {
    Path program = compiled("-gsplit-dwarf");
    long address = addresses(program).get(0);

    assertThat(ElfSections.names(program)).contains(".debug_addr", ".text");
    assertThat(words(positions(program, "", address, List.of(SYMBOL))))
        .as("the function that was not inlined keeps its name")
        .containsExactly("set at a.c:4", "twice at a.c:9", "main(int) at a.c:15");
    assertThat(words(positions(program, "", address, List.of(SourcePosition.UNKNOWN))))
        .containsExactly("set at a.c:4", "twice at a.c:9", "main at a.c:15");
    assertThat(positions(program, "", 1, List.of(SYMBOL))).containsExactly(SYMBOL);
  }

  @Test
  void theyShouldBeReadWhereValgrindDoesNotKnowTheirNames() throws Exception {
    Path program = compiled("-flto");
    long address = addresses(program).get(0);
    SourcePosition unknown = new SourcePosition("UnknownInlinedFun", "/a.c", 4);

    assertThat(ElfSections.names(program)).contains(".debug_info").doesNotContain(".debug_addr");
    assertThat(words(positions(program, "", address, List.of(unknown, SYMBOL))))
        .containsExactly("set at a.c:4", "twice at a.c:9", "main(int) at a.c:15");
    assertThat(positions(program, "", address, List.of(SYMBOL)))
        .as("what Valgrind can read is not read again")
        .containsExactly(SYMBOL);
  }

  /** Valgrind does not read what was inlined in Go. */
  @Test
  void theyShouldBeReadInProgramsOfGo() throws Exception {
    Path program = compiled();
    long address = addresses(program).get(0);
    assertThat(positions(program, "", address, List.of(SYMBOL))).containsExactly(SYMBOL);
    Path nothing = Files.writeString(directory.resolve("nothing"), "");
    assertThat(
            new ProcessBuilder(
                    "objcopy", "--add-section", ".go.buildinfo=" + nothing, program.toString())
                .start()
                .waitFor())
        .isZero();

    assertThat(words(positions(program, "", address, List.of(SYMBOL))))
        .containsExactly("set at a.c:4", "twice at a.c:9", "main(int) at a.c:15");
  }

  @Test
  void anotherBuildShouldTellNothing() throws Exception {
    Path program = compiled("-gsplit-dwarf", "-Wl,--build-id=0x0123abcd");
    long address = addresses(program).get(0);

    assertThat(positions(program, "0123abcd", address, List.of(SYMBOL))).hasSize(3);
    assertThat(positions(program, "0123abce", address, List.of(SYMBOL))).containsExactly(SYMBOL);
    assertThat(positions(program, "0123", address, List.of(SYMBOL))).containsExactly(SYMBOL);
  }

  @Test
  void filesWithoutDebugInformationShouldTellNothing() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), SOURCE);
    SourcePosition unknown = new SourcePosition("UnknownInlinedFun", "", 0);

    assertThat(ElfSections.names(text)).isEmpty();
    assertThat(ElfSections.names(directory.resolve("none"))).isEmpty();
    assertThat(positions(text, "", 16, List.of(unknown))).containsExactly(unknown);
    assertThat(positions(directory.resolve("none"), "", 16, List.of(unknown)))
        .containsExactly(unknown);
    assertThat(
            InlinedFunctions.of(null, new TraceEvent.SiteDefined(1, 1, 1, 0, 16, List.of(SYMBOL))))
        .containsExactly(SYMBOL);
  }

  @Test
  void aTruncatedFileShouldHaveNoSections() throws Exception {
    byte[] whole = Files.readAllBytes(compiled("-gsplit-dwarf"));
    for (int length : List.of(3, 63, 64, whole.length / 2, whole.length - 1)) {
      Path part = Files.write(directory.resolve("part"), Arrays.copyOf(whole, length));
      assertThat(ElfSections.names(part)).as("%d bytes", length).isEmpty();
    }
  }

  @Test
  void aReaderThatWasClosedShouldTellOnlyWhatItKnows() throws Exception {
    Path program = compiled("-gsplit-dwarf");
    List<Long> addresses = addresses(program);
    InlinedReader reader = new InlinedReader(program, "");
    assertThat(reader.at(addresses.get(0))).hasSize(3);
    reader.close();

    assertThat(reader.at(addresses.get(0))).hasSize(3);
    assertThat(reader.at(addresses.get(1))).isEmpty();
    InlinedReader unused = new InlinedReader(program, "");
    unused.close();
    assertThat(unused.at(addresses.get(0))).isEmpty();
  }

  /** The process that a reader has started for a program. */
  private static ProcessHandle processOf(Path program) {
    return ProcessHandle.current()
        .children()
        .filter(
            child ->
                child
                    .info()
                    .arguments()
                    .map(List::of)
                    .orElse(List.of())
                    .contains(program.toString()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"STOP", "KILL"})
  void aProcessThatNoLongerAnswersShouldNotBeWaitedFor(String signal) throws Exception {
    Path program = compiled("-gsplit-dwarf");
    List<Long> addresses = addresses(program);
    try (InlinedReader reader = new InlinedReader(program, "", Duration.ofSeconds(1))) {
      assertThat(reader.at(addresses.get(0))).hasSize(3);
      ProcessHandle process = processOf(program);
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();

      assertThat(reader.at(addresses.get(1))).isEmpty();
      assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(10));
      assertThat(reader.at(addresses.get(0))).as("what is known").hasSize(3);
    }
  }
}
