// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  private static final List<String> KNOWN = List.of("target", "timeout", "run", "notOutput");

  @ParameterizedTest
  @CsvSource({
    "tagret, target",
    "Timeout, timeout",
    "time-out, timeout",
    "timeouts, timeout",
    "rnu, run",
    "notoutput, notOutput"
  })
  void shouldFindSlipsOfTheFinger(String word, String meant) {
    assertThat(Suggestions.closest(word, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"xyzzy", "tr", "output", "time"})
  void shouldNotGuessWildly(String word) {
    assertThat(Suggestions.closest(word, KNOWN)).isEmpty();
  }

  @Test
  void shouldNotTakeForeverOverLongWords() {
    assertThat(Suggestions.closest("x".repeat(1_000_000), KNOWN)).isEmpty();
  }
}
