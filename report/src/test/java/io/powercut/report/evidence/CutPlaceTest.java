// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.tree.FailurePointId;
import org.junit.jupiter.api.Test;

/** Names of places where recovery is cut. */
class CutPlaceTest {
  private static final FailurePointId ID = FailurePointId.parse("0123456789abcdef");

  @Test
  void nameShouldBeThatOfTheFailurePointAtItsFirstOccurrence() {
    assertThat(new CutPlace(ID, 1)).hasToString("0123456789abcdef");
    assertThat(CutPlace.parse("0123456789abcdef")).isEqualTo(new CutPlace(ID, 1));
  }

  @Test
  void laterOccurrenceShouldBeInTheName() {
    assertThat(new CutPlace(ID, 4)).hasToString("0123456789abcdef@4");
    assertThat(CutPlace.parse("0123456789abcdef@4")).isEqualTo(new CutPlace(ID, 4));
    assertThatThrownBy(() -> CutPlace.parse("0123456789abcdef@"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void firstDigitsShouldDoAndMeanAnyOccurrence() {
    assertThat(new CutPlace(ID, 4).begins("0123")).isTrue();
    assertThat(new CutPlace(ID, 4).begins("0123@4")).isTrue();
    assertThat(new CutPlace(ID, 4).begins("0123@1")).isFalse();
    assertThat(new CutPlace(ID, 4).begins("1123@4")).isFalse();
  }
}
