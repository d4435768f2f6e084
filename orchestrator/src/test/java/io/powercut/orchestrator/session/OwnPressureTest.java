// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnPressureTest {
  @Test
  void oneFifthOfTheTimeShouldBeMuch() {
    Duration time = Duration.ofSeconds(10);

    assertThat(OwnPressure.isHigh(Duration.ZERO, time)).isFalse();
    assertThat(OwnPressure.isHigh(Duration.ofMillis(1900), time)).isFalse();
    assertThat(OwnPressure.isHigh(Duration.ofMillis(2100), time)).isTrue();
  }

  @Test
  void garbageCollectionsShouldBeCountedAndNothingElse() throws InterruptedException {
    OwnPressure idle = new OwnPressure();
    Thread.sleep(200);
    assertThat(idle.isHigh()).isFalse();

    OwnPressure busy = new OwnPressure();
    for (int round = 0; round < 20; round++) {
      System.gc();
    }
    assertThat(busy.collecting()).isPositive();
  }
}
