// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecoverySaidTest {
  @Test
  void firstComplaintShouldBeShownNotTheLastLine() {
    String output = "opening\n\nkey 7 is missing\nkey 8 is missing\nkey 9 is missing\nbye\n";

    assertThat(RecoverySaid.of(output, 2)).containsExactly("key 7 is missing", "key 8 is missing");
  }

  @Test
  void lastLinesShouldBeShownWhenNoneComplains() {
    assertThat(RecoverySaid.of("one\ntwo\nthree\n", 2)).containsExactly("two", "three");
    assertThat(RecoverySaid.of("", 2)).isEmpty();
  }

  @Test
  void endlessLineShouldBeCutOff() {
    assertThat(RecoverySaid.of("error " + "x".repeat(10_000), 2).get(0)).hasSizeLessThan(200);
  }
}
