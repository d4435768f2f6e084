// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.format.Text;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void coloursAndTitlesOfTerminalsShouldBeLeftOut() {
    assertThat(Text.printed("\u001b[1;31mkey 7\u001b[0m is \u001b]0;a title\u0007missing\u001b(B"))
        .isEqualTo("key 7 is missing");
  }

  @Test
  void anEscapeSequenceWithoutAnEndShouldNotTakeTheTextWithIt() {
    assertThat(Text.printed("\u001b]0;and so on")).isEqualTo("0;and so on");
    assertThat(Text.printed("the end\u001b[")).isEqualTo("the end");
    assertThat(Text.printed("the end\u001b")).isEqualTo("the end␛");
  }

  @Test
  void allEndsOfLinesShouldBeTheSame() {
    assertThat(Text.printed("10 %\r20 %\r\ndone\n")).isEqualTo("10 %\n20 %\ndone\n");
  }

  @Test
  void whatCannotBeSeenShouldBeMadeVisible() {
    assertThat(Text.clean("a\0b\u0007c\u007fd\u0085e\tf\n")).isEqualTo("a␀b␇c␡d\ufffde\tf\n");
    assertThat(Text.clean("if \u202eeslaf\u2066")).isEqualTo("if \ufffdeslaf\ufffd");
  }

  @Test
  void halvesOfCharactersShouldBeReplacedAndWholeOnesKept() {
    assertThat(Text.clean("\ud83d\udd0c|\ud83d|\udd0c")).isEqualTo("\ud83d\udd0c|\ufffd|\ufffd");
  }

  @Test
  void theWriterShouldCleanWhateverWayItIsGivenText() throws IOException {
    StringWriter out = new StringWriter();
    try (CleanWriter writer = new CleanWriter(out)) {
      writer.write("x\0yz", 1, 2);
      writer.write(new char[] {'\0', 'a', '\0'}, 1, 2);
      writer.write('\u001b');
    }
    assertThat(out).hasToString("␀ya␀␛");
  }

  @Test
  void muchOutputShouldLoseItsBeginningAndSayHowMuch() {
    Output output = Output.of("x".repeat(1_000_000) + "the end\n");
    assertThat(output.text()).endsWith("xthe end").hasSizeLessThan(10_000);
    assertThat(output.leftOut() + output.text().length()).isEqualTo(1_000_007);
  }
}
