// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostValueTest {
  private static final StackFrame AT = new StackFrame("append", "/src/ring.c", 43, "ring", "0x10");

  private static JudgedState state(ImageStore store, String variable) {
    JudgedState.Store lost =
        new JudgedState.Store(
            store, 1, JudgedState.Missing.FLUSH, JudgedState.Role.CAUSE, variable);
    return new JudgedState(
        "0123456789abcdef",
        "one-line-lost",
        "f",
        List.of(new JudgedState.Line("pool", 0x40, "00".repeat(16) + "0700" + "00".repeat(46))),
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
  }

  @Test
  void valueShouldBeNamedAndComparedWithTheImage() {
    ImageStore store = new ImageStore("pool", 0x50, 8, "a55a000000000000", List.of(AT));

    assertThat(LostValue.of(state(store, "entry->sum")))
        .containsExactly(
            new LostValue("entry->sum", "append at /src/ring.c:43", "0x7", "0x5aa5 (23,205)"));
  }

  @Test
  void valueWithoutANameShouldHaveItsPlace() {
    ImageStore store = new ImageStore("pool", 0x50, 2, "ffff", List.of());

    assertThat(LostValue.of(state(store, "")))
        .containsExactly(new LostValue("pool+0x50", "", "0x7", "0xffff (65,535)"));
  }

  @Test
  void storeOfAnUnknownLineShouldBeLeftOut() {
    assertThat(LostValue.of(state(new ImageStore("pool", 0x80, 8, "01", List.of(AT)), "x")))
        .isEmpty();
    assertThat(LostValue.of(state(new ImageStore("other", 0x50, 1, "01", List.of(AT)), "x")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "00, 1, 0x0",
    "0100000000000080, 8, 0x8000000000000001",
    "010203, 3, 01 02 03",
    "68656c6c6f000000, 8, 0x6f6c6c6568 \"hello\"",
    "6869, 2, '0x6968 (26,984)'",
    "3c623e3c, 4, '0x3c3e623c (1,010,721,340) \"<b><\"'",
    "0102030405060708090a0b0c0d0e0f10, 40, 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 …",
  })
  void bytesShouldBeReadable(String bytes, int size, String shown) {
    assertThat(LostValue.value(bytes, size)).isEqualTo(shown);
  }
}
