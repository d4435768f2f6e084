// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FailurePointIdTest {
  @Test
  void shouldBeFnv1aOverModuleZeroAndLittleEndianOffset() {
    // python3: h=0xcbf29ce484222325; for b in b"pm.elf\0"+(0x1150).to_bytes(8,"little"):
    //          h=((h^b)*0x100000001b3)%2**64
    assertThat(FailurePointId.of(List.of(Frame.unknown("pm.elf", 0x1150))))
        .hasToString("9e27cc36a2100734");
    assertThat(
            FailurePointId.of(
                List.of(Frame.unknown("libé.so", 0xff00ff00ff00ff00L), Frame.unknown("", 0))))
        .hasToString("37142790ab325900");
  }

  @Test
  void shouldNotDependOnNames() {
    assertThat(CallStack.of(Frame.of("pm.elf", 1, "f", "f.c", 3)).id())
        .isEqualTo(CallStack.of(Frame.unknown("pm.elf", 1)).id());
  }

  @Test
  void shouldDependOnTheOrderOfFrames() {
    Frame one = Frame.unknown("a", 1);
    Frame two = Frame.unknown("a", 2);
    assertThat(CallStack.of(one, two).id()).isNotEqualTo(CallStack.of(two, one).id());
  }

  @Test
  void shouldParseWhatItPrints() {
    FailurePointId id = new FailurePointId(0x00f1_0000_0000_00abL);
    assertThat(id).hasToString("00f10000000000ab");
    assertThat(FailurePointId.parse("00f10000000000ab")).isEqualTo(id);
    assertThat(FailurePointId.parse("00F10000000000AB")).isEqualTo(id);
  }

  @Test
  void shouldOrderAsUnsigned() {
    assertThat(new FailurePointId(-1)).isGreaterThan(new FailurePointId(1));
  }

  @Test
  void shouldNameTextThatIsNoId() {
    for (String text : List.of("", "12", "00f10000000000ag", "000f10000000000ab")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FailurePointId.parse(text))
          .withMessage(
              "\"" + text + "\" is not a failure point id: expected 16 hexadecimal digits");
    }
  }
}
