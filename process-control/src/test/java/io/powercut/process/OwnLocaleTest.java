// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnLocaleTest {
  private static final String PRINT = "echo ${LC_ALL-none} $(locale charmap)";

  @AfterEach
  void forget() {
    System.clearProperty("powercut.locale");
  }

  /** Java gets UTF-8 where the user has ASCII, however that came; no other locale is touched. */
  @ParameterizedTest
  @CsvSource({
    "LANG=C, C.UTF-8 UTF-8, -Dpowercut.locale=",
    "LC_ALL=POSIX, C.UTF-8 UTF-8, -Dpowercut.locale=POSIX",
    "LANG=xx_YY.UTF-8, C.UTF-8 UTF-8, -Dpowercut.locale=",
    "LANG=C.UTF-8, none UTF-8, ''"
  })
  void launcherShouldReplaceALocaleWithAsciiOnly(String variable, String locale, String option)
      throws IOException {
    String script =
        "set -eu; . '%s/packaging/environment'; echo \"$locale_option\"; %s"
            .formatted(PowercutHome.find(), PRINT);
    ProcessBuilder builder =
        new ProcessBuilder("env", "-i", "PATH=/usr/bin:/bin", variable, "sh", "-c", script);
    Process process = builder.redirectErrorStream(true).start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(option + "\n" + locale + "\n");
  }

  /** Java ends with 1 there, as a run with bugs does. */
  @ParameterizedTest
  @CsvSource({
    "-n 30, 'the limit of open files is 30, and Java needs 128; raise it: ulimit -n 128'",
    "-v 2000000, 'the limit of virtual memory, in KiB, is 2000000, and Java needs 3145728;"
        + " raise it: ulimit -v 3145728'"
  })
  void launcherShouldEndWhereJavaCannotStart(String limit, String message) throws Exception {
    String script =
        "ulimit %s; . '%s/packaging/environment'; echo Java starts"
            .formatted(limit, PowercutHome.find());
    Process process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("powercut: " + message + "\n");
    assertThat(process.waitFor()).isEqualTo(3);
  }

  @Test
  void commandsShouldHaveTheUsersLocale() {
    System.setProperty("powercut.locale", "POSIX");
    try (Supervisor supervisor = Supervisor.start()) {
      assertThat(supervisor.run(CommandSpec.command("sh", "-c", PRINT).build()).outputTail())
          .isEqualTo("POSIX ANSI_X3.4-1968\n");
    }
    System.setProperty("powercut.locale", "");
    try (Supervisor supervisor = Supervisor.start()) {
      assertThat(supervisor.run(CommandSpec.command("sh", "-c", PRINT).build()).outputTail())
          .startsWith("none ");
    }
  }

  @Test
  void localeThatWasLeftAloneShouldStay() {
    assertThat(OwnLocale.changes()).isEqualTo(Map.of());
  }
}
