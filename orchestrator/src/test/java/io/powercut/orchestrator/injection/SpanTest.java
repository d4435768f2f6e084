// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpanTest {
  private final Span span = new Span();

  @Test
  void combinationsOfWhatIsKnownShouldFollow() {
    assertThat(span.add(0b1100)).isTrue();
    assertThat(span.add(0b0110)).isTrue();
    assertThat(span.add(0b1010)).isFalse();
    assertThat(span.add(0b1100)).isFalse();
    assertThat(span.add(0)).isFalse();
    assertThat(span.add(0b0001)).isTrue();
    assertThat(span.add(0b1011)).isFalse();
  }

  @Test
  void everythingShouldFollowFromSixtyFour() {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      assertThat(span.add(-1L << bit)).isTrue();
    }
    assertThat(span.add(0x123456789abcdefL)).isFalse();
  }
}
