// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
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

    assertThat(budget.share(3)).contains(Duration.ofMinutes(20));
    pass(10);
    assertThat(budget.share(2)).contains(Duration.ofMinutes(25));
    pass(25);
    assertThat(budget.share(1)).contains(Duration.ofMinutes(25));
    assertThat(budget.isSpent()).isFalse();
    pass(25);
    assertThat(budget.isSpent()).isTrue();
  }

  @Test
  void overrunShouldBeTakenFromThoseAfterIt() {
    SharedBudget budget = budget(60);
    pass(58);

    assertThat(budget.share(2)).contains(Duration.ofMinutes(1));
    pass(3);
    assertThat(budget.isSpent()).isTrue();
  }

  @Test
  void withoutABudgetNothingShouldBeBounded() {
    SharedBudget budget = new SharedBudget(Optional.empty(), clock::get);
    pass(1_000_000);

    assertThat(budget.share(1)).isEmpty();
    assertThat(budget.isSpent()).isFalse();
  }
}
