// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsciiNamesTest {
  @ParameterizedTest
  @CsvSource({
    "set_size, set_size",
    "größe, gru00f6u00dfe",
    "GRÖSSE, GRU00D6SSE",
    "записать, u0437u0430u043fu0438u0441u0430u0442u044c",
    "a\u00a0= “b”, 'a =  b '",
    "𝒳 = 1, U1D4B3 = 1"
  })
  void lettersShouldBeNumbers(String text, String expected) {
    assertThat(AsciiNames.in(text)).isEqualTo(expected).matches("\\p{ASCII}*");
  }
}
