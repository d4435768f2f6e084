// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SearchesTest {
  private static final Duration TIME = Duration.ofSeconds(6);

  private static final Duration TOOK = Duration.ofSeconds(2);

  private final Searches searches = new Searches(true, 8, TIME);

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

  private static Occurrence at(String digit) {
    return new Occurrence(FailurePointId.parse(digit.repeat(16)), 1);
  }
}
