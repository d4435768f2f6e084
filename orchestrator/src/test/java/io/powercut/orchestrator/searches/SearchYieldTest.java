// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SearchYieldTest {
  private final SearchYield yield = new SearchYield();

  private static Occurrence at(int failurePoint) {
    return new Occurrence(FailurePointId.parse("%016x".formatted(failurePoint)), 1);
  }

  private void searched(int times, boolean isDecided) {
    for (int time = 0; time < times; time++) {
      yield.ended(at(1000 + time), isDecided);
    }
  }

  /** Of so many failure points that nobody knows. */
  private long worthIt(int count) {
    return LongStream.range(0, count).filter(number -> yield.isWorthIt(at((int) number))).count();
  }

  @Test
  void failurePointThatStaysOpenShouldNotBeSearchedAgain() {
    yield.passed(at(1), false);
    yield.passed(at(2), true);
    assertThat(yield.isWorthIt(at(1))).isFalse();
    assertThat(yield.isWorthIt(at(2))).isTrue();
  }

  @Test
  void searchThatDecidesShouldGoOn() {
    searched(16, false);
    searched(8, true);
    assertThat(worthIt(160)).isEqualTo(160);
  }

  @Test
  void searchThatDecidesHardlyAnythingShouldBeTriedNowAndThenOnly() {
    searched(16, true);
    searched(9, false);
    assertThat(worthIt(160)).isBetween(1L, 40L);
  }
}
