// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalTest {
  @ParameterizedTest
  @CsvSource({"SIGTERM, 15", "term, 15", "KILL, 9", "11, 11", "SEGV, 11", "SIGSYS, 31", "BUS, 7"})
  void readsNamesAndNumbers(String text, int number) {
    assertThat(Signal.parse(text)).isEqualTo(new Signal(number));
  }

  @Test
  void hasTheKernelsName() {
    assertThat(new Signal(11)).hasToString("SIGSEGV");
    assertThat(new Signal(34)).hasToString("SIG34");
  }

  @ParameterizedTest
  @CsvSource({"SIGNOPE", "0", "65", "''"})
  void refusesWhatIsNoSignal(String text) {
    assertThatThrownBy(() -> Signal.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
