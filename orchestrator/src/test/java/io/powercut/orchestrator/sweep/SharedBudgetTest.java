// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final AtomicLong clock = new AtomicLong(-5);

  private SharedBudget budget(long minutes) {
    return new SharedBudget(Optional.of(Duration.ofMinutes(minutes)), clock::get);
  }

  private void pass(long minutes) {
    clock.addAndGet(Duration.ofMinutes(minutes).toNanos());
  }

  @Test
  void whatOneDoesNotUseShouldGoToThoseAfterIt() {
    SharedBudget budget = budget(60);

    assertThat(budget.share(3, SHORT)).contains(Duration.ofMinutes(20));
    pass(10);
    assertThat(budget.share(2, SHORT)).contains(Duration.ofMinutes(25));
    pass(25);
    assertThat(budget.share(1, SHORT)).contains(Duration.ofMinutes(25));
    assertThat(budget.isSpent()).isFalse();
    pass(25);
    assertThat(budget.isSpent()).isTrue();
  }

  @Test
  void overrunShouldBeTakenFromThoseAfterIt() {
    SharedBudget budget = budget(60);
    pass(58);

    assertThat(budget.share(2, SHORT)).contains(Duration.ofMinutes(1));
    pass(3);
    assertThat(budget.isSpent()).isTrue();
  }

  @Test
  void campaignShouldGetWhatItIsExpectedToNeedAsLongAsThereIsSo() {
    SharedBudget budget = budget(60);

    assertThat(budget.share(6, Duration.ofMinutes(25))).contains(Duration.ofMinutes(25));
    pass(50);
    assertThat(budget.share(5, Duration.ofMinutes(25))).contains(Duration.ofMinutes(10));
  }

  @Test
  void whatIsNotExpectedToEndShouldNotBeginInTheSecondHalf() {
    SharedBudget budget = budget(60);

    assertThat(budget.isEnoughFor(Duration.ofMinutes(100))).isTrue();
    pass(30);
    assertThat(budget.isEnoughFor(Duration.ofMinutes(100))).isTrue();
    pass(1);
    assertThat(budget.isEnoughFor(Duration.ofMinutes(100))).isFalse();
    assertThat(budget.isEnoughFor(Duration.ofMinutes(29))).isTrue();
    pass(1);
    assertThat(budget.isEnoughFor(Duration.ofMinutes(29))).isFalse();
  }

  @Test
  void withoutABudgetNothingShouldBeBounded() {
    SharedBudget budget = new SharedBudget(Optional.empty(), clock::get);
    pass(1_000_000);

    assertThat(budget.share(1, SHORT)).isEmpty();
    assertThat(budget.isEnoughFor(Duration.ofDays(1000))).isTrue();
    assertThat(budget.isSpent()).isFalse();
  }
}
