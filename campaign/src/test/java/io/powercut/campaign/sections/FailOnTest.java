// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which findings a word of {@code failOn} means. */
class FailOnTest {
  @ParameterizedTest
  @CsvSource({
    "LOCKSET, LOCKSET_RACE, true",
    "LOCKSET, CONSEQUENCE_RACE, true",
    "REGION, LOCKSET_RACE, false",
    "REGION, REGION_RACE, true",
    "OBSERVED, REGION_RACE, false",
    "OBSERVED, CONSEQUENCE_RACE, true",
    "CONSEQUENCE, OBSERVED_RACE, false",
    "CONSEQUENCE, CONSEQUENCE_RACE, true",
    "RACE, LOCKSET_RACE, true",
    "BUG, CONSEQUENCE_RACE, false",
    "RACE, DATA_RACE, true",
    "DATA_RACE, DATA_RACE, true",
    "DATA_RACE, UNCONFIRMED_DATA_RACE, false",
    "LOCKSET, DATA_RACE, false",
  })
  void evidenceShouldMeanItselfAndWhatIsStronger(FailOn failOn, String kind, boolean included) {
    assertThat(failOn.includes(Severity.RACE, kind)).isEqualTo(included);
  }

  @Test
  void evidenceOfRacesShouldMeanNothingElse() {
    assertThat(FailOn.LOCKSET.includes(Severity.BUG, "UNRECOVERABLE")).isFalse();
    assertThat(FailOn.RACE.includes(Severity.WARNING, "DIRTY_OVERWRITE")).isFalse();
  }
}
