// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SearchesTest {
  private static final Duration TIME = Duration.ofSeconds(6);

  private static final Duration TOOK = Duration.ofSeconds(2);

  private final Searches searches = new Searches(true, 8, Optional.of(TIME));

  @Test
  void searchThatDecidesShouldSpendItsTime() {
    searches.ended(at("a"), TOOK, true);

    assertThat(searches.isOpen(at("d"))).isTrue();
    searches.ended(at("b"), TOOK, true);
    assertThat(searches.isOpen(at("d"))).isTrue();
    searches.ended(at("c"), TOOK, true);
    assertThat(searches.isOpen(at("d"))).isFalse();
  }

  /** Large programs have many failure points that take long and stay open. */
  @Test
  void searchInVainShouldSpendMore() {
    searches.ended(at("a"), TOOK, false);

    assertThat(searches.isOpen(at("d"))).isFalse();
  }

  /** What is decided there mostly is not at later occurrences. */
  @Test
  void searchesOfALongRunShouldEndEarlier() {
    Searches usual = new Searches(true, 8, Optional.empty());
    AtomicLong reached = new AtomicLong(1_000);
    usual.follow(reached::get);
    usual.ended(at("a"), TOOK, true);

    assertThat(usual.runs()).isEqualTo(8);
    reached.set(100_000);
    assertThat(usual.isOpen(at("d"))).isTrue();
    assertThat(usual.runs()).isEqualTo(4);
    reached.set(1_000_000);
    assertThat(usual.isOpen(at("d"))).isFalse();
    assertThat(usual.runs()).isZero();
    usual.follow(() -> 0);
    assertThat(usual.isOpen(at("d"))).as("a run that is over is as long as before").isFalse();
  }

  @Test
  void timeThatIsWantedShouldHoldInALongRunToo() {
    searches.follow(() -> 1_000_000);
    searches.ended(at("a"), TOOK, true);

    assertThat(searches.isOpen(at("d"))).isTrue();
  }

  private static Occurrence at(String digit) {
    return new Occurrence(FailurePointId.parse(digit.repeat(16)), 1);
  }
}
