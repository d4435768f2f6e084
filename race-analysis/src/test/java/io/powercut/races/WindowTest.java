// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {
  private final Window.StoredUnit third = new Window.StoredUnit(2, 0x8877665544332211L);

  @Test
  void valueShouldBeThatOfTheBytes() {
    assertThat(third.value(16, 8)).hasValue(0x8877665544332211L);
    assertThat(third.value(16, 4)).hasValue(0x44332211L);
    assertThat(third.value(19, 2)).hasValue(0x5544L);
    assertThat(third.value(23, 1)).hasValue(0x88L);
  }

  @Test
  void valueOfOtherUnitsShouldNotBeKnown() {
    assertThat(third.value(8, 8)).isEmpty();
    assertThat(third.value(23, 2)).isEmpty();
    assertThat(third.value(24, 8)).isEmpty();
    assertThat(Window.StoredUnit.UNKNOWN.value(0, 1)).isEmpty();
  }
}
