// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  void lostBytesShouldBeMarkedAsTheyAreAndAsTheyWouldBe() {
    JudgedState.Store lost =
        new JudgedState.Store(
            store("pool", 0x3e, 4, "01020304"),
            1,
            JudgedState.Missing.FLUSH,
            JudgedState.Role.CAUSE,
            "");
    JudgedState state =
        new JudgedState(
            "0123456789abcdef",
            "one-line-lost",
            "fedcba9876543210",
            List.of(
                new JudgedState.Line("pool", 0x40, "aa".repeat(64)),
                new JudgedState.Line("other", 0x40, "bb".repeat(64)),
                new JudgedState.Line("pool", 0x80, "cc".repeat(64))),
            List.of(lost),
            List.of(),
            true,
            Optional.empty(),
            "remedy",
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of());

    List<ChangedLine> image = ChangedLine.of(state, false);
    List<ChangedLine> persisted = ChangedLine.of(state, true);
    assertThat(image).extracting(ChangedLine::offset).containsExactly(0x40L);
    assertThat(text(image.get(0).rows().get(0))).startsWith("[aa aa] aa aa");
    assertThat(text(persisted.get(0).rows().get(0))).startsWith("[03 04] aa aa");
    assertThat(text(persisted.get(0).rows().get(1))).doesNotContain("[");
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
