// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.searches.Searches;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PruningTest {
  private static final int MANY = 1000;

  private static final RecoveryReads NONE =
      (images, asked, effort) -> Optional.of((path, offset) -> LineRead.NONE);

  private final Pruning.Both both = both(false);
  private final Pruning pruning = both.toSkip();

  private static Pruning.Both both(boolean isSearchWanted) {
    Searches searches = new Searches(isSearchWanted, 1, Optional.of(Duration.ofMinutes(1)));
    return Pruning.Both.of(new StateOptions(Optional.of(NONE), searches));
  }

  @Test
  void whereStatesAreSearchedForItShouldNotHaveToPay() {
    for (int run = 0; run < MANY; run++) {
      both.at(true).watched(false);
      both.at(false).watched(false);
    }
    assertThat(both.at(true).reads()).isPresent();
    assertThat(both.at(false).reads()).isEmpty();
  }

  @Test
  void whatRefutesItAtOneMomentShouldRefuteItAtAll() {
    both.at(true).refute();
    assertThat(both.at(true).reads()).isEmpty();
    assertThat(both.at(false).reads()).isEmpty();
  }

  @Test
  void shouldGoOnWhileItSavesMoreThanItCosts() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(true);
      if (run % 4 == 0) {
        pruning.spared();
      }
    }
    assertThat(pruning.reads()).isPresent();
  }

  @Test
  void shouldEndWhenItCostsMoreThanItSaves() {
    for (int run = 0; run < MANY; run++) {
      pruning.watched(true);
      if (run % 6 == 0) {
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
  void whereItAlsoDecidesMomentsItShouldHaveMoreRunsToPay() {
    Pruning deciding = both(true).toSkip();
    for (int run = 1; run < 256; run++) {
      deciding.watched(true);
    }
    assertThat(deciding.reads()).isPresent();
    assertThat(deciding.isWantedForItself()).isTrue();
    assertThat(pruning.isWantedForItself()).isFalse();
    deciding.watched(true);
    assertThat(deciding.reads()).isEmpty();
    assertThat(deciding.isWantedForItself()).isFalse();
  }

  @Test
  void firstStateAndOneInSixteenShouldBeChecked() {
    long checked = IntStream.range(0, 160).filter(state -> pruning.isChecked()).count();

    assertThat(checked).isEqualTo(10);
    assertThat(both.toSearch().isChecked()).isTrue();
  }

  @Test
  void refutedPruningShouldBeOver() {
    assertThat(pruning.reads()).contains(NONE);
    pruning.spared();
    pruning.refute();

    assertThat(pruning.reads()).isEmpty();
  }
}
