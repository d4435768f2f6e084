// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GdbOutputTest {
  @Test
  void framesShouldHaveTheirFilesWithoutDetours() {
    String text =
        """
        noise
        BACKTRACE
        #0  0x000055d0 in check (pool=0x1) at /nowhere/src/./check.c:12
        #1  main () at main.c:3
        END
        """;
    List<CrashFrame> frames = GdbOutput.frames(text, new MemoryMaps(""));

    assertThat(frames).extracting(CrashFrame::function).containsExactly("check", "main");
    assertThat(frames)
        .extracting(frame -> frame.file().orElse(""))
        .containsExactly("/nowhere/src/check.c", "main.c");
  }
}
