// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What gives functions of a library names. */
@Tag("programs")
class LibrarySymbolsTest {
  @TempDir private Path folder;

  private LibrarySymbols symbols() {
    return new LibrarySymbols(
        folder.resolve("debug"),
        command ->
            command.contains(folder.resolve("libring.so.1.2").toString())
                ? Optional.of("libring1:amd64: " + command.get(2))
                : Optional.empty());
  }

  private Path library(String name, String... options) throws IOException {
    Path source = Files.writeString(folder.resolve("ring.c"), "int push(void) { return 1; }");
    Path library = folder.resolve(name);
    List<String> command =
        new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-Wl,--build-id=0x0123abcd", "-o"));
    command.add(library.toString());
    command.add(source.toString());
    command.addAll(List.of(options));
    FirstLine.of(command);
    return library;
  }

  @Test
  void strippedLibraryShouldNameThePackageOfItsSymbols() throws IOException {
    Path library = library("libring.so.1.2", "-s");
    Path link = Files.createSymbolicLink(folder.resolve("libring.so.1"), library);

    assertThat(symbols().missing(link)).contains("libring1-dbgsym");
    assertThat(symbols().missing(library("libown.so", "-s"))).contains("");
    assertThat(symbols().missing(library("libwhole.so"))).isEmpty();
    assertThat(symbols().missing(folder.resolve("ring.c"))).isEmpty();
  }

  @Test
  void ownerOfALibraryShouldBeAskedForOnce() throws IOException {
    Path library = library("libring.so.1.2", "-s");
    List<List<String>> asked = new ArrayList<>();
    LibrarySymbols symbols =
        new LibrarySymbols(
            folder.resolve("debug"),
            command -> {
              asked.add(command);
              return Optional.of("libring1:amd64: " + command.get(2));
            });

    assertThat(symbols.missing(library)).contains("libring1-dbgsym");
    assertThat(symbols.missing(library)).contains("libring1-dbgsym");
    assertThat(asked).hasSize(1);
  }

  @Test
  void installedSymbolsShouldBeFoundByBuildId() throws IOException {
    Path library = library("libring.so.1.2", "-s");
    Files.createDirectories(folder.resolve("debug/01"));
    Files.createFile(folder.resolve("debug/01/23abcd.debug"));

    assertThat(symbols().missing(library)).isEmpty();
  }

  @Test
  void adviceShouldNameLibrariesWithNamelessFramesOnly() throws IOException {
    Path library = library("libring.so.1.2", "-s");
    FailurePointTree tree =
        new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    tree.reach(
        CallStack.of(
            Frame.unknown("libring.so.1.2", 0x10), Frame.of("app", 0x20, "main", "/src/a.c", 7)),
        Instruction.CLWB,
        1);
    tree.reach(CallStack.of(Frame.of("libwhole.so", 0x10, "push", "", 0)), Instruction.CLWB, 2);

    assertThat(symbols().advice(tree, List.of(), name -> Optional.of(folder.resolve(name))))
        .hasValueSatisfying(
            advice ->
                assertThat(advice)
                    .startsWith("libring.so.1.2: install libring1-dbgsym ")
                    .contains("DEBUGINFOD_URLS"));
    assertThat(
            symbols()
                .advice(
                    new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE),
                    List.of(),
                    name -> Optional.of(library)))
        .isEmpty();
    StackFrame store = new StackFrame("", "", 0, "libring.so.1.2", "0x10");
    assertThat(
            symbols()
                .advice(
                    new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE),
                    List.of(List.of(store)),
                    name -> Optional.of(library)))
        .hasValueSatisfying(
            advice -> assertThat(advice).startsWith("libring.so.1.2: install libring1-dbgsym "));
  }

  @Test
  void programWithoutSymbolsShouldBeNamedLikeALibrary() throws IOException {
    library("ring", "-s");
    StackFrame store = new StackFrame("", "", 0, "ring", "0x10");
    FailurePointTree tree =
        new FailurePointTree("ring", Granularity.PERSISTENCY, ExcludedFunctions.NONE);

    assertThat(
            symbols()
                .advice(tree, List.of(List.of(store)), name -> Optional.of(folder.resolve(name))))
        .as("it is the user's own, see ProgramLines")
        .isEmpty();
    assertThat(
            new LibrarySymbols(folder, command -> Optional.of("gnu-ring: /usr/bin/ring"))
                .advice(tree, List.of(List.of(store)), name -> Optional.of(folder.resolve(name))))
        .hasValueSatisfying(
            advice -> assertThat(advice).startsWith("ring: install gnu-ring-dbgsym "));
  }

  @Test
  void pythonShouldBeNamedWhereItsFramesAreUnreadAndNeedNoSymbolsOtherwise() throws IOException {
    library("mmap.cpython-311-x86_64-linux-gnu.so", "-s");
    FailurePointTree tree =
        new FailurePointTree("python3", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    Frame flush = Frame.unknown("mmap.cpython-311-x86_64-linux-gnu.so", 0x10);
    tree.reach(
        CallStack.of(flush, Frame.of("ring.py", 0x20, "append", "/src/ring.py", 7)),
        Instruction.MSYNC,
        1);

    assertThat(symbols().advice(tree, List.of(), name -> Optional.of(folder.resolve(name))))
        .isEmpty();

    library("python3.10", "-s");
    tree.reach(CallStack.of(flush, Frame.unknown("python3.10", 0x30)), Instruction.MSYNC, 2);

    assertThat(symbols().advice(tree, List.of(), name -> Optional.of(folder.resolve(name))))
        .contains("python3.10: " + LibrarySymbols.PYTHON);
  }
}
