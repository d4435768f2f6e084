// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.InFlightLine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneUnitTest {
  private final StoresByHand memory = new StoresByHand();

  private BlamedStore blamed(int stack) {
    return memory.states().sample(64).stream()
        .flatMap(line -> line.stores().stream().map(store -> new BlamedStore(line, store)))
        .filter(one -> one.store().stack() == stack)
        .findFirst()
        .orElseThrow();
  }

  private OneUnit unit(Culprit.Whole whole, int lost, int... arrived) {
    InFlightLine line = blamed(lost).line();
    return OneUnit.of(
        new Culprit(
            CrashState.of(List.of(line.losing(blamed(lost).store()))),
            List.of(blamed(lost)),
            List.of(),
            Arrays.stream(arrived).mapToObj(this::blamed).toList(),
            whole,
            true),
        memory.states());
  }

  @Test
  void twoStoresShouldHaveTheirSizesTogether() {
    memory.store(0, 0, 7, 10).store(3, 1, 8, 20);

    OneUnit unit = unit(Culprit.Whole.ANOTHER_STORE, 10, 20);

    assertThat(unit).isEqualTo(new OneUnit(16));
    assertThat(unit.fitsIntoOneWord()).isFalse();
  }

  @Test
  void storeToSeveralLinesShouldHaveItsWholeSize() {
    memory.wide(0, 7, 10, 0, 7, 7, 7).store(5, 0, 1, 20);

    assertThat(unit(Culprit.Whole.ITS_PARTS, 10, 20)).isEqualTo(new OneUnit(24));
  }

  @Test
  void wordShouldFit() {
    memory.store(0, 0, 7, 10);

    assertThat(unit(Culprit.Whole.ITS_PARTS, 10).fitsIntoOneWord()).isTrue();
  }
}
