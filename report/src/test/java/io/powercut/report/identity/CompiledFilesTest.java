// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of one base name in one program. */
class CompiledFilesTest {
  private static final String SOURCE =
      "__attribute__((used)) static void set(long *p)\n{\n\t*p = 1;\n}\n";

  @TempDir private Path directory;

  /** A program of these files, each with a function of the same name. */
  private Path program(String... files) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc", "-g", "-shared", "-fPIC"));
    for (String file : files) {
      command.add(file);
      Files.createDirectories(directory.resolve(file).getParent());
    }
    for (int at = 0; at < files.length; at++) {
      Files.writeString(directory.resolve(files[at]), SOURCE);
    }
    Path program = directory.resolve("program");
    command.addAll(List.of("-o", program.toString()));
    Process compiler = new ProcessBuilder(command).directory(directory.toFile()).start();
    assertThat(compiler.waitFor()).isZero();
    return program;
  }

  private String place(Path program, String file) {
    return new CodePlaces(module -> Optional.of(program))
        .of(List.of(new StackFrame("set", directory.resolve(file).toString(), 3, "program", "")));
  }

  @Test
  void filesOfOneNameShouldBeTwoPlacesWhereverTheTreeIs() throws Exception {
    Path program = program("a/x.c", "b/x.c", "b/y.c");
    assertThat(place(program, "a/x.c")).isEqualTo("set in a/x.c: *p = 1;");
    assertThat(place(program, "b/x.c")).isEqualTo("set in b/x.c: *p = 1;");
    assertThat(place(program, "b/y.c")).as("no other one").isEqualTo("set in y.c: *p = 1;");
  }

  @Test
  void fileWithoutThatLineShouldNotMatter() throws Exception {
    Path program = program("a/x.c", "b/x.c");
    Files.writeString(directory.resolve("b/x.c"), SOURCE.replace("1", "2"));
    assertThat(place(program, "a/x.c")).isEqualTo("set in x.c: *p = 1;");
  }

  @Test
  void fileWithThatLineInAnotherFunctionShouldNotMatter() throws Exception {
    Path program = program("a/x.c", "b/x.c");
    Files.writeString(
        directory.resolve("b/x.c"), SOURCE.replace("set", "put") + "void set(long *p) {\n}\n");
    assertThat(place(program, "a/x.c")).isEqualTo("set in x.c: *p = 1;");
  }

  @Test
  void withoutSourcesEachFileOfTheNameShouldMatter() throws Exception {
    Path program = program("a/x.c", "b/x.c", "b/y.c");
    for (String file : List.of("a/x.c", "b/x.c", "b/y.c")) {
      Files.delete(directory.resolve(file));
    }
    assertThat(place(program, "a/x.c")).isEqualTo("set in a/x.c of program: ");
    assertThat(place(program, "b/y.c")).isEqualTo("set in y.c of program: ");
  }

  @Test
  void linkToAFileShouldBeNoOtherFile() throws Exception {
    Path program = program("a/x.c", "b/x.c");
    Files.delete(directory.resolve("b/x.c"));
    Files.createSymbolicLink(directory.resolve("b/x.c"), directory.resolve("a/x.c"));
    assertThat(place(program, "a/x.c")).isEqualTo("set in x.c: *p = 1;");
  }

  @Test
  void nameShouldBeginWherePathsDiffer() {
    Path own = Path.of("/src/log/x.c");
    assertThat(CompiledFiles.name(own, List.of())).isEqualTo("x.c");
    assertThat(CompiledFiles.name(own, List.of(Path.of("/src/x.c")))).isEqualTo("log/x.c");
    assertThat(CompiledFiles.name(own, List.of(Path.of("/src/log/old/x.c")))).isEqualTo("x.c");
    assertThat(CompiledFiles.name(own, List.of(Path.of("/src/tx/x.c"), Path.of("/src/log/a/x.c"))))
        .isEqualTo("log/x.c");
  }

  @Test
  void withoutAProgramTheBaseNameShouldDo() {
    CompiledFiles files = new CompiledFiles();
    assertThat(files.name(directory.resolve("none"), "/src/x.c", other -> true)).isEqualTo("x.c");
    assertThat(files.name(directory.resolve("none"), "", other -> true)).isEmpty();
  }
}
