// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PruningTest {
  private static final RecoveryReads NONE = (images, asked) -> Optional.of((path, offset) -> false);

  @Test
  void firstStateAndOneInSixteenShouldBeChecked() {
    Pruning pruning = new Pruning(Optional.of(NONE));
    long checked = IntStream.range(0, 160).filter(state -> pruning.isChecked()).count();

    assertThat(checked).isEqualTo(10);
    assertThat(new Pruning(Optional.of(NONE)).isChecked()).isTrue();
  }

  @Test
  void refutedPruningShouldBeOver() {
    Pruning pruning = new Pruning(Optional.of(NONE));
    assertThat(pruning.reads()).contains(NONE);
    pruning.refute();

    assertThat(pruning.reads()).isEmpty();
  }
}
