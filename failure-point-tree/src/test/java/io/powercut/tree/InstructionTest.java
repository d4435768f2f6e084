// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstructionTest {
  @ParameterizedTest
  @CsvSource({
    "clwb, clwb",
    "locked, a locked instruction",
    "file-write, a write to a file",
    "of another version, of another version"
  })
  void nameShouldReadAsPartOfASentence(String label, String words) {
    assertThat(Instruction.inWords(label)).isEqualTo(words);
  }
}
