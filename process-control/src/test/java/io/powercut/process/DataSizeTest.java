// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "512, 512",
    "1B, 1",
    "64KiB, 65536",
    "1.5 GiB, 1610612736",
    "2GB, 2000000000",
    "3kb, 3000",
    "1TiB, 1099511627776"
  })
  void readsNumbersWithUnits(String text, long bytes) {
    assertThat(DataSize.parse(text)).isEqualTo(DataSize.ofBytes(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1 Mi", "64 bananas", "1e3", "99999999999TiB"})
  void quotesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> DataSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
  }

  @ParameterizedTest
  @CsvSource({"0, 0B", "1023, 1023B", "65536, 64KiB", "1610612736, 1.5GiB", "2000000000, 1.9GiB"})
  void printsTheLargestUnitThatFits(long bytes, String text) {
    assertThat(DataSize.ofBytes(bytes)).hasToString(text);
  }

  @Test
  void comparesByBytes() {
    assertThat(DataSize.ofKibibytes(1))
        .isLessThan(DataSize.ofBytes(1025))
        .isGreaterThan(DataSize.ZERO);
  }
}
