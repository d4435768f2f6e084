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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLinesTest {
  @TempDir private Path folder;

  private Path program(String name, String... options) throws Exception {
    Files.writeString(folder.resolve("a.c"), "int main(void) { return 0; }\n");
    List<String> command = new ArrayList<>(List.of("cc", "a.c", "-o", name));
    command.addAll(Arrays.asList(options));
    assertThat(new ProcessBuilder(command).directory(folder.toFile()).start().waitFor()).isZero();
    return folder.resolve(name);
  }

  private static FailurePointTree tree(Frame... frames) {
    FailurePointTree tree =
        new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    tree.reach(CallStack.of(frames), Instruction.CLWB, 1);
    return tree;
  }

  private Optional<String> advice(FailurePointTree tree, String... stores) {
    return ProgramLines.advice(
        tree,
        Arrays.stream(stores)
            .map(module -> List.of(new StackFrame("push", "", 0, module, "0x10")))
            .toList(),
        name -> Optional.of(folder.resolve(name)).filter(Files::exists));
  }

  @Test
  void programsWithoutDebugInformationShouldBeNamedWithTheRemedy() throws Exception {
    program("bare");
    program("stripped", "-s");
    program("whole", "-g");
    FailurePointTree none = tree(Frame.of("whole", 0x10, "main", "/src/a.c", 7));

    assertThat(advice(none)).isEmpty();
    assertThat(advice(none, "whole", "gone")).isEmpty();
    assertThat(advice(none, "stripped", "bare"))
        .hasValueSatisfying(
            advice ->
                assertThat(advice)
                    .startsWith("bare, stripped: compile with -g and do not strip, so that "));
    assertThat(advice(none, "bare"))
        .contains("bare: compile with -g, so that findings have source lines and variables");
    assertThat(advice(tree(Frame.unknown("bare", 0x10))))
        .hasValueSatisfying(advice -> assertThat(advice).startsWith("bare: "));
  }

  @Test
  void whatTheUserDidNotCompileShouldNotBeNamed() throws IOException {
    Files.writeString(folder.resolve("script"), "#!/bin/sh\n");

    assertThat(advice(tree(Frame.unknown("script", 0x10)))).isEmpty();
    assertThat(
            ProgramLines.advice(
                tree(Frame.unknown("sh", 0x10)),
                List.of(),
                name -> Optional.of(Path.of("/bin/sh"))))
        .isEmpty();
  }
}
