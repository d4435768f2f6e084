// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("programs")
class MainStackTest {
  private static String limits(String soft) {
    return """
        Limit                     Soft Limit           Hard Limit           Units
        Max data size             unlimited            unlimited            bytes
        Max stack size            %-20s unlimited            bytes
        Max core file size        0                    unlimited            bytes
        """
        .formatted(soft);
  }

  @ParameterizedTest
  @CsvSource({"16777217,16777217", "1073741824,1073741824", "unlimited,4294967296"})
  void largerStacksThanValgrindsShouldBeAskedFor(String soft, long size) {
    assertThat(MainStack.size(limits(soft))).contains(size);
  }

  @ParameterizedTest
  @CsvSource({"8388608", "16777216"})
  void whatValgrindGivesAnywayShouldNot(String soft) {
    assertThat(MainStack.size(limits(soft))).isEmpty();
  }
}
