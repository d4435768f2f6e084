// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SearchTimeTest {
  @Test
  void momentsShouldGetFewerRecoveriesTheLessTimeIsLeft() {
    SearchTime time = new SearchTime(Optional.of(Duration.ofSeconds(10)));
    assertThat(time.share(16)).isEqualTo(16);
    time.spend(Duration.ofSeconds(5));
    assertThat(time.share(16)).isEqualTo(8);
    time.spend(Duration.ofMillis(4999));
    assertThat(time.share(16)).as("what is cheap is decided up to the end").isOne();
    time.spend(Duration.ofSeconds(1));
    assertThat(time.share(16)).isZero();
  }

  @Test
  void noTimeShouldBeNoRecovery() {
    assertThat(new SearchTime(Optional.of(Duration.ZERO)).share(16)).isZero();
  }
}
