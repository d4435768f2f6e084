// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HarmlessNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"abort", "die_errno", "fprintf", "errors.New", "poll", "strlen", ".flush", "Lock"})
  void nameOfWhatComplainsWaitsOrComputesShouldBeHarmless(String name) {
    assertThat(HarmlessNames.are(name)).isTrue();
    assertThat(HarmlessNames.areOfMessages(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"log_debug", "LOG_INFO", "trace_write", "Warnf"})
  void nameOfWhatTellsShouldBeOfMessages(String name) {
    assertThat(HarmlessNames.areOfMessages(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"log_append", "flush", "persist", "memcpy", "write", "fsync"})
  void otherNamesShouldBeNeither(String name) {
    assertThat(HarmlessNames.are(name)).isFalse();
    assertThat(HarmlessNames.areOfMessages(name)).isFalse();
  }
}
