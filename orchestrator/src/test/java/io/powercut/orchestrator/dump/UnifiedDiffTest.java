// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {
  private static String diff(String expected, String found) {
    return UnifiedDiff.between(expected, found).text("before", "after recovery");
  }

  private static String numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void shouldShowALineThatIsMissingWithItsNeighbours() {
    assertThat(diff(numbers(0, 20), numbers(0, 9) + numbers(10, 20)))
        .isEqualTo(
            """
            --- before
            +++ after recovery
            @@ -7,7 +7,6 @@
             6
             7
             8
            -9
             10
             11
             12
            """);
  }

  @Test
  void shouldShowChangesThatAreFarFromEachOtherApart() {
    String found = "x\n" + numbers(1, 20) + "y\n";

    assertThat(diff(numbers(0, 20), found))
        .isEqualTo(
            """
            --- before
            +++ after recovery
            @@ -1,4 +1,4 @@
            -0
            +x
             1
             2
             3
            @@ -18,3 +18,4 @@
             17
             18
             19
            +y
            """);
  }

  @Test
  void shouldCountWhatIsMissingAndWhatIsTooMuch() {
    UnifiedDiff diff = UnifiedDiff.between("a\nb\nc\nd\n", "a\nc\nx\ny\nd\n");

    assertThat(diff.missing()).isEqualTo(1);
    assertThat(diff.added()).isEqualTo(2);
  }

  @Test
  void shouldNameTheEndOfAnEmptyTextAsDiffDoes() {
    assertThat(diff("", "a\n")).contains("@@ -0,0 +1 @@\n+a\n");
    assertThat(diff("a\nb\n", "a\n")).contains("@@ -1,2 +1 @@\n a\n-b\n");
  }

  @Test
  void shouldBeBoundedHoweverMuchDiffers() {
    String text = diff(numbers(0, 3000), numbers(10_000, 13_000));

    assertThat(text.lines()).hasSizeLessThan(70);
    assertThat(text).endsWith("more\n").contains("-0\n");
    assertThat(diff("x".repeat(100_000), "").length()).isLessThan(1000);
    UnifiedDiff diff = UnifiedDiff.between(numbers(0, 3000), numbers(10_000, 13_000));
    assertThat(diff.missing()).isEqualTo(3000);
    assertThat(diff.added()).isEqualTo(3000);
  }

  @Test
  void shouldFindTheOneLineThatDiffersAmongHundredThousandAtBothEndsOfOthers() {
    String expected = "begin\n" + numbers(0, 100_000) + "end\n";
    String found = "other\n" + numbers(0, 50_000) + numbers(50_001, 100_000) + "else\n";
    UnifiedDiff diff = UnifiedDiff.between(expected, found);

    assertThat(diff.missing()).isEqualTo(3);
    assertThat(diff.added()).isEqualTo(2);
    assertThat(diff(expected, found)).contains("-50000\n");
  }

  @Test
  void missingLineEndShouldBeNoDifference() {
    assertThat(UnifiedDiff.between("a\nb", "a\nb\n").missing()).isZero();
  }

  @Test
  void shouldShowTextOfBytesInUtf8() {
    String bytes =
        new String("Käse\n".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    assertThat(diff(bytes, "")).contains("-Käse\n");
  }
}
