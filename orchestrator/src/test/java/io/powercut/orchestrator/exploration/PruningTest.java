// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.LineRead;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PruningTest {
  private static final int MANY = 1000;

  private static final RecoveryReads NONE =
      (images, asked, effort) -> Optional.of((path, offset) -> LineRead.NONE);

  private final Pruning pruning = new Pruning(Optional.of(NONE), true);

  @Test
  void pruningThatIsWantedForItselfShouldNotHaveToPay() {
    Pruning wanted = new Pruning(Optional.of(NONE), false);
    for (int run = 0; run < 100; run++) {
      wanted.watched(false);
    }
    assertThat(wanted.reads()).isPresent();
    wanted.refute();
    assertThat(wanted.reads()).isEmpty();
  }

  @Test
  void shouldGoOnWhileItSavesMoreThanItCosts() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(true);
      if (run % 2 == 0) {
        pruning.spared();
      }
    }
    assertThat(pruning.reads()).isPresent();
  }

  @Test
  void shouldEndWhenItCostsMoreThanItSaves() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(true);
      if (run % 3 == 0) {
        pruning.spared();
      }
    }
    assertThat(pruning.reads()).isEmpty();
  }

  @Test
  void recoveriesForReadsAloneShouldCount() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(true);
      pruning.spared();
      pruning.spent();
    }
    assertThat(pruning.reads()).isEmpty();
  }

  @Test
  void runThatCannotBeFollowedShouldCostAWholeOne() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(false);
      pruning.spared();
    }
    assertThat(pruning.reads()).isEmpty();
  }

  @Test
  void fewRunsShouldNotDecide() {
    for (int run = 0; run < 16; run++) {
      pruning.watched(true);
    }
    assertThat(pruning.reads()).isPresent();
  }

  @Test
  void firstStateAndOneInSixteenShouldBeChecked() {
    long checked = IntStream.range(0, 160).filter(state -> pruning.isChecked()).count();

    assertThat(checked).isEqualTo(10);
    assertThat(new Pruning(Optional.of(NONE), true).isChecked()).isTrue();
  }

  @Test
  void refutedPruningShouldBeOver() {
    assertThat(pruning.reads()).contains(NONE);
    pruning.spared();
    pruning.refute();

    assertThat(pruning.reads()).isEmpty();
  }
}
