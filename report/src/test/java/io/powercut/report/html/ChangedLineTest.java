// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.ImageStore;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChangedLineTest {
  private static ImageStore store(String file, long offset, int size, String bytes) {
    return new ImageStore(file, offset, size, bytes, List.of());
  }

  private static String text(List<ChangedLine.Bytes> row) {
    return row.stream()
        .map(bytes -> bytes.changed() ? "[" + bytes.text() + "]" : bytes.text())
        .collect(Collectors.joining(" "));
  }

  @Test
  void bytesShouldStandWhereTheyWereStored() {
    List<ChangedLine> lines = ChangedLine.of(List.of(store("pool", 0x52, 3, "0a0b0c")));
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).offset()).isEqualTo(0x40);
    assertThat(lines.get(0).rows()).hasSize(4);
    assertThat(text(lines.get(0).rows().get(0)))
        .isEqualTo("·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··");
    assertThat(text(lines.get(0).rows().get(1)))
        .isEqualTo("·· ·· [0a 0b 0c] ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··");
  }

  @Test
  void aStoreOverTwoLinesShouldBeInBoth() {
    List<ChangedLine> lines = ChangedLine.of(List.of(store("pool", 0x3e, 4, "01020304")));
    assertThat(lines).extracting(ChangedLine::offset).containsExactly(0L, 0x40L);
    assertThat(text(lines.get(0).rows().get(3))).endsWith("·· [01 02]");
    assertThat(text(lines.get(1).rows().get(0))).startsWith("[03 04] ··");
  }

  @Test
  void theLaterStoreShouldBeSeen() {
    List<ChangedLine> lines =
        ChangedLine.of(List.of(store("pool", 0, 2, "0101"), store("pool", 1, 1, "02")));
    assertThat(text(lines.get(0).rows().get(0))).startsWith("[01 02] ··");
  }

  @Test
  void sameOffsetsOfDifferentFilesShouldBeDifferentLines() {
    assertThat(ChangedLine.of(List.of(store("a", 0, 1, "01"), store("b", 0, 1, "01"))))
        .extracting(ChangedLine::file)
        .containsExactly("a", "b");
  }

  @Test
  void bytesThatWereNotRecordedShouldBeQuestionMarksAndFew() {
    List<ChangedLine> lines =
        ChangedLine.of(List.of(store("pool", 0, Integer.MAX_VALUE, "01".repeat(16))));
    assertThat(lines).hasSize(2);
    assertThat(text(lines.get(0).rows().get(1))).startsWith("[?? ??").endsWith("??]");
  }
}
