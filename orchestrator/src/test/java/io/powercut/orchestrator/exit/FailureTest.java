// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.exit.ExitCode;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void fileThatCannotBeUsedShouldHaveItsReasonAndRemedy() {
    Failure failure =
        Failure.of(
            new UncheckedIOException(
                new FileSystemException("/x/runs", null, "Read-only file system")));

    assertThat(failure.exit()).isEqualTo(ExitCode.NOT_TRUSTWORTHY);
    assertThat(failure.text())
        .isEqualTo(
            "cannot use /x/runs: its file system is read-only; choose another place, or mount it for"
                + " writing");
  }

  @Test
  void fullDiskShouldOnlyBeAnsweredWithResumeWhereThereIsOne() {
    UncheckedIOException full =
        new UncheckedIOException(
            new FileSystemException("/x/runs", null, "No space left on device"));

    assertThat(Failure.of(full).text()).endsWith("continue with the same command and --resume.");
    assertThat(Failure.of(full, false).text())
        .contains("/x/runs: no space left on its file system")
        .endsWith("; free some, and run the same command again.");
  }

  @Test
  void libraryWithoutPlaceShouldNotBeCalledABug() {
    Failure failure =
        Failure.of(new ExceptionInInitializerError("Cannot unpack libx: No space left on device"));

    assertThat(failure.exit()).isEqualTo(ExitCode.NOT_TRUSTWORTHY);
    assertThat(failure.text())
        .startsWith("Cannot unpack libx: No space left on device. It goes into")
        .contains("-Djava.io.tmpdir=")
        .doesNotContain("bug");
  }
}
