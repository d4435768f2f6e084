// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.zeroturnaround.exec.ProcessExecutor;

@Tag("programs")
class SymbolsTest {
  /** No other file can call the function that is inlined, so the linker has no name for it. */
  private static final String INLINED =
      """
      volatile long value;
      static inline void add() {
        value++; // line 3
      }
      namespace {
      void take() {
        value--; // line 7
      }
      }
      extern "C" void caller() {
        add();
        take();
      }
      """;

  private static final int BYTES_OF_CALLER = 48;

  @Test
  void shouldNotCallInlinedFunctionsByTheirCallersName(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("program.cpp"), INLINED);
    run(directory, "g++", "-g", "-O2", "-shared", "-fPIC", "program.cpp", "-o", "library.so");
    Path library = directory.resolve("library.so");
    long begin =
        run(directory, "nm", "library.so").stream()
            .filter(line -> line.endsWith(" T caller"))
            .mapToLong(line -> Long.parseUnsignedLong(line.split(" ")[0], 16))
            .findFirst()
            .orElseThrow();
    List<Symbols.Place> places =
        LongStream.range(begin, begin + BYTES_OF_CALLER)
            .mapToObj(offset -> new Symbols.Place(library, offset))
            .toList();
    Symbols symbols = new Symbols();

    symbols.load(places);

    assertThat(places.stream().map(symbols::frames).filter(frames -> frames.size() == 2))
        .extracting(frames -> at(frames.get(0)) + " in " + at(frames.get(1)))
        .contains("add:3 in caller:11", "take:7 in caller:12")
        .allMatch(text -> !text.startsWith("caller"));
  }

  private static String at(StackFrame frame) {
    return frame.function() + ":" + frame.line();
  }

  private static List<String> run(Path directory, String... command) throws Exception {
    return new ProcessExecutor(command)
        .directory(directory.toFile())
        .readOutput(true)
        .exitValueNormal()
        .execute()
        .getOutput()
        .getLinesAsUTF8();
  }
}
