// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadSizeTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "500, 500", "5k, 5000", "150K, 150000", "1m, 1000000", "' 2k ', 2000"})
  void sizeShouldBeReadWithItsUnit(String text, long operations) {
    assertThat(WorkloadSize.parse(text).operations()).isEqualTo(operations);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "0k", "-5", "k", "5 k", "5g", "1.5k", "9999999999999", "999999999999m"})
  void otherTextShouldBeRefusedAndNamed(String text) {
    assertThatThrownBy(() -> WorkloadSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a workload size");
  }
}
