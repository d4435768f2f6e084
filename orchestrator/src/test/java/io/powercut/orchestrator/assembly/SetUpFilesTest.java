// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.rundir.SetUpLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tells one set-up from another is what it left in the PM directory. */
class SetUpFilesTest {
  @Test
  void shouldTellWhichFileOfALaterSetUpIsAnother(@TempDir Path pm) throws IOException {
    Files.createDirectory(pm.resolve("logs"));
    Files.write(pm.resolve("logs/first"), new byte[] {1, 2, 3});
    Files.createSymbolicLink(pm.resolve("current"), Path.of("logs/first"));
    SetUpLog before = SetUpFiles.in(pm);
    assertThat(before.contents().keySet()).containsExactly("current", "logs", "logs/first");
    assertThat(before.unlike(SetUpFiles.in(pm))).isEmpty();

    Files.write(pm.resolve("logs/first"), new byte[] {1, 2, 4});
    assertThat(before.unlike(SetUpFiles.in(pm)).orElseThrow())
        .endsWith("logs/first, which holds other bytes");
    assertThat(before.unlikeInNameOrSize(SetUpFiles.in(pm))).isEmpty();
  }
}
