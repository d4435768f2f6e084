// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecoverySaidTest {
  private static final String FAILED =
      "recovery failed: it exited with code 1, expected exit code 0";
  private static final String CLIENT_FAILED =
      "recovery failed: the server ran, but its client failed: it exited with code 1, expected exit"
          + " code 0";

  @Test
  void firstComplaintShouldBeShownNotTheLastLine() {
    String output = "opening\n\nkey 7 is missing\nkey 8 is missing\nkey 9 is missing\nbye\n";

    assertThat(RecoverySaid.of(FAILED, output, 2))
        .containsExactly("key 7 is missing", "key 8 is missing");
  }

  @Test
  void lastLinesShouldBeShownWhenNoneComplains() {
    assertThat(RecoverySaid.of(FAILED, "one\ntwo\nthree\n", 2)).containsExactly("two", "three");
    assertThat(RecoverySaid.of(FAILED, "", 2)).isEmpty();
  }

  @Test
  void endlessLineShouldBeCutOff() {
    assertThat(RecoverySaid.of(FAILED, "error " + "x".repeat(10_000), 2).get(0))
        .hasSizeLessThan(200);
  }

  /** As Node does, and Python for a part of a line. */
  @Test
  void sourceCodeShouldBeNoComplaint() {
    String node =
        "node:internal/main:123\n    triggerUncaughtException(\n    ^\n\n[Error: no such key]\n";
    String python = "Traceback\n    check(wrong[7])\n          ~~~~~^^^\nKeyError: 7\n";

    assertThat(RecoverySaid.of(FAILED, node, 2)).containsExactly("[Error: no such key]");
    assertThat(RecoverySaid.of(FAILED, python, 2)).containsExactly("KeyError: 7");
    assertThat(RecoverySaid.of(FAILED, "an error\n^", 2)).containsExactly("an error");
  }

  @Test
  void optionsOfJavaShouldBeNoComplaint() {
    String options = "Picked up JAVA_TOOL_OPTIONS: -Xint -Dlog.error=none\n";

    assertThat(RecoverySaid.of(FAILED, options + "NOTE: " + options + "cannot open", 2))
        .containsExactly("cannot open");
  }

  /** As of a dump, or of a script that ends with {@code diff -u}. */
  @Test
  void whatDiffersShouldBeShownNotWhatIsAlike() {
    String diff =
        """
        --- after it acknowledged 8 lines
        +++ after recovery
        @@ -1,2 +1,3 @@
         k0 error
        -k2 old
        +k2 value
         k3 missing
        """;

    assertThat(RecoverySaid.of(FAILED, diff, 3)).containsExactly("-k2 old", "+k2 value");
    assertThat(RecoverySaid.of(FAILED, diff + "2 lines differ\n", 1)).containsExactly("-k2 old");
    assertThat(RecoverySaid.of(FAILED, diff + "error: not alike\n", 2))
        .containsExactly("error: not alike");
    assertThat(RecoverySaid.of(FAILED, "- 2 keys\n- 3 values\n", 1)).containsExactly("- 3 values");
  }

  @Test
  void failingClientShouldBeHeardBeforeItsServer() {
    String server = "warning: saving may fail\nready\n\n[client]\n";

    assertThat(RecoverySaid.of(CLIENT_FAILED, server + "3 keys, 4 were set\n", 2))
        .containsExactly("3 keys, 4 were set");
    assertThat(RecoverySaid.of(CLIENT_FAILED, server, 2))
        .containsExactly("warning: saving may fail");
  }

  @Test
  void serverShouldBeHeardWhenItFailed() {
    String output = "assertion: count > 0\n\n[client]\nerror: no answer\n";

    assertThat(RecoverySaid.of("recovery crashed with SIGABRT", output, 1))
        .containsExactly("assertion: count > 0");
  }
}
