// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code powercut races} on a program with an allocator of its own. */
@Tag("campaign")
class OwnAllocatorsTest {
  private static final String CAMPAIGN =
      """
      parameters: {kind: result, variant: bug}
      target: {command: [%s, "{pm}/pool", "{kind}", "{variant}"]}
      recovery: {command: ["true"]}
      """;

  private static final String ALLOCATORS =
      """
      races:
        allocators:
          - {function: "alloc?te", address: result, size: argument 1}
          - {function: allocate_zeros, address: result, size: argument 1 * argument 2}
          - {function: allocate_to, address: value at argument 2, size: argument 1, success: zero}
          - {function: allocate_offset, address: argument 1 + result, size: argument 2}
          - {function: new_node, address: result, size: 64B}
          - {function: resize, address: result, size: argument 2, moves: argument 1}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void build() {
    program = workbench.compile("programs/own-allocators.c");
  }

  private static Said races(String allocators, String kind, String variant) {
    Path campaign =
        workbench.write("own-allocators.yaml", CAMPAIGN.formatted(program) + allocators);
    return Workbench.powercut(
        "races",
        campaign.toString(),
        "--set",
        "parameters.kind=" + kind,
        "--set",
        "parameters.variant=" + variant);
  }

  private static List<String> found(Said said) {
    assertThat(said.exitCode()).as(said.errors()).isZero();
    return said.output()
        .lines()
        .filter(line -> line.contains(" what "))
        .map(line -> line.replaceAll(" at \\S+| +(?= )", ""))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"result", "zeros", "pointer", "failed", "offset", "node"})
  void shouldKnowThatMemoryIsNew(String kind) {
    assertThat(found(races(ALLOCATORS, kind, "fixed"))).isEmpty();
    assertThat(found(races(ALLOCATORS, kind, "bug")))
        .containsExactly("OBSERVED reader loads what fill stored, before it is persisted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"result", "zeros", "resized"})
  void shouldNotKnowThatMemoryIsNewIfNobodySaysSo(String kind) {
    assertThat(found(races("", kind, "fixed")))
        .contains("REGION reader may load what fill stored, before it is persisted");
  }

  @Test
  void shouldKnowThatMemoryThatStaysIsNotNew() {
    assertThat(found(races(ALLOCATORS, "resized", "fixed")))
        .contains("REGION reader may load what fill stored, before it is persisted");
    assertThat(found(races(ALLOCATORS.replace(", moves: argument 1", ""), "resized", "fixed")))
        .isEmpty();
  }

  @Test
  void shouldSayWhichFunctionsItDidNotSee() {
    String allocators =
        """
        races:
          synchronisation:
            - {function: give_back, role: release, lock: argument 1}
          allocators:
            - {function: alocate, address: result, size: argument 1}
            - {function: allocate, address: result, size: argument 1, success: zero}
            - {function: new_node, address: result, size: 64B}
            - {function: allocate_to, address: value at argument 2, size: argument 1}
        """;

    assertThat(races(allocators, "pointer", "fixed").errors())
        .contains(
            "races.allocators.0.function is alocate, but no function of the target or its libraries"
                + " has that name (inlined functions do not count); did you mean allocate?",
            "races.allocators.1.function is allocate, which allocated nothing: it did not return, its"
                + " success, zero, did not show, or result was 0.",
            "races.allocators.2.function is new_node, which this run did not call.")
        .doesNotContain("synchronisation.0", "allocators.3");
  }
}
