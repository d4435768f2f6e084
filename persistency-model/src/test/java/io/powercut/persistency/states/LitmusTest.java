// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LitmusTest {
  private static List<Litmus> litmusTests() throws IOException {
    List<Litmus> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/litmus"))) {
      for (Path file :
          files.filter(path -> path.toString().endsWith(".litmus")).sorted().toList()) {
        tests.addAll(Litmus.read(file));
      }
    }
    return tests;
  }

  @ParameterizedTest
  @MethodSource("litmusTests")
  void modelShouldAllowExactlyTheListedStates(Litmus litmus) {
    ModelRun run = ModelRun.of(litmus.program());
    List<ByteBuffer> memories = new ArrayList<>(List.of(run.programOrder()));
    new CrashStatePolicy.Exhaustive(8)
        .select(run.states())
        .states()
        .forEach(state -> memories.add(run.memory(state)));

    assertThat(described(litmus, memories)).isEqualTo(litmus.allowed());
    assertThat(memories).doesNotHaveDuplicates();
    assertThat(run.states().count()).isEqualTo(memories.size());
  }

  @ParameterizedTest
  @MethodSource("litmusTests")
  void machineShouldAllowExactlyTheListedStates(Litmus litmus) {
    PersistMachine machine = PersistMachine.run(litmus.program());

    assertThat(described(litmus, machine.memories())).isEqualTo(litmus.allowed());
  }

  @Test
  void testsShouldBeManyAndHaveNamesOfTheirOwn() throws IOException {
    assertThat(litmusTests())
        .hasSizeGreaterThanOrEqualTo(100)
        .extracting(Litmus::toString)
        .doesNotHaveDuplicates();
  }

  private static Set<String> described(Litmus litmus, Collection<ByteBuffer> memories) {
    Set<String> described = new TreeSet<>();
    memories.forEach(memory -> described.add(litmus.describe(memory)));
    return described;
  }
}
