// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiffTextTest {
  private static DiffText of(String text) {
    return DiffText.of(text.lines().toList());
  }

  @Test
  void textWithoutDifferenceShouldBeAsItIs() {
    DiffText text = of("--- a title\n+++ two\n- one\n");

    assertThat(text.others()).containsExactly("--- a title", "+++ two", "- one");
    assertThat(text.changed()).isEmpty();
  }

  @Test
  void linesOfAllHunksAndFilesShouldBeKnown() {
    DiffText text =
        of(
            """
            before
            --- a
            +++ b
            @@ -1 +1,2 @@ f
             same
            +1
            @@ -9 +10 @@
            -2
            \\ No newline at end of file
            +3
            --- c
            +++ d
            @@ -1 +0,0 @@
            -4
            after
            - 5
            """);

    assertThat(text.others()).containsExactly("before", "after", "- 5");
    assertThat(text.changed()).containsExactly("+1", "-2", "+3", "-4");
  }
}
