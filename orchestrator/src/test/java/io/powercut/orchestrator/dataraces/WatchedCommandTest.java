// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.process.PowercutHome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedCommandTest {
  private static final List<String> PROGRAM = List.of("./app", "run");
  private static final List<String> LOCKS =
      List.of("acquire:exclusive:1:-:my_lock", "release:exclusive:1:-:my_unlock");

  @Test
  void recorderShouldKnowTheProgramsOwnLocks() {
    assertThat(WatchedCommand.of(PROGRAM, Path.of(""), RaceBackend.RECORDER, LOCKS))
        .containsExactly(
            PowercutHome.find().resolve("race-runtime/recorded").toString(),
            "--synchronise=acquire:exclusive:1:-:my_lock",
            "--synchronise=release:exclusive:1:-:my_unlock",
            "--",
            "./app",
            "run");
  }

  @Test
  void compiledProgramShouldRunAsItIs() {
    assertThat(WatchedCommand.of(PROGRAM, Path.of(""), RaceBackend.AUTO, LOCKS)).isEqualTo(PROGRAM);
  }
}
