// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DueTest {
  private static final Occurrence AT = ProgramByHand.at(1);

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void imageWithoutAVerdictShouldBeDueWhateverElseIsLeft(boolean states, boolean cut) {
    assertThat(Due.of(Optional.empty(), states, cut)).isEqualTo(Due.IMAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "true,true,BESIDE_THE_IMAGE",
    "true,false,BESIDE_THE_IMAGE",
    "false,true,BESIDE_THE_IMAGE",
    "false,false,NOTHING"
  })
  void besideAConsistentImageOnlyThatShouldBeDueWhichIsLeft(
      boolean states, boolean cut, Due expected) {
    assertThat(Due.of(Optional.of(FakeRecovery.verdict(AT, Optional.empty())), states, cut))
        .isEqualTo(expected);
  }

  @Test
  void besideABugOrAnUnjudgedImageNothingShouldBeDue() {
    assertThat(Due.of(Optional.of(FakeRecovery.verdict(AT, Optional.of("lost"))), true, true))
        .isEqualTo(Due.NOTHING);
    assertThat(Due.of(Optional.of(Judgement.inconclusive(AT.id(), "no space")), true, true))
        .isEqualTo(Due.NOTHING);
  }
}
