// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2026, 1, 2, 3, 4, 5);

  @TempDir Path folder;

  @Test
  @DisplayName("a directory that is called latest is left, and no half run beside it")
  void leavesNothingBehind() throws IOException {
    Files.createDirectories(folder.resolve("app/latest/mine"));

    assertThatThrownBy(() -> RunDirectory.create(folder, "app", NOW))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(folder.resolve("app/latest") + ": ")
        .hasMessageContaining("--runs DIR");
    try (Stream<Path> files = Files.list(folder.resolve("app"))) {
      assertThat(files).containsExactly(folder.resolve("app/latest"));
    }
  }

  @Test
  @DisplayName("why there is no run is said in words")
  void saysWhyThereIsNone() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");

    assertThatThrownBy(() -> RunDirectory.open(folder.resolve("nothing")))
        .hasMessageStartingWith(
            "no run in " + folder.resolve("nothing") + " (it does not exist): ");
    assertThatThrownBy(() -> RunDirectory.open(file))
        .hasMessageStartingWith("no run in " + file + " (it is not a directory): ");
    assertThatThrownBy(() -> RunDirectory.open(folder))
        .hasMessageStartingWith("no run in " + folder + ": ");
    assertThatThrownBy(() -> RunDirectory.create(file, "app", NOW))
        .hasMessage(
            "cannot make a run directory below %s: %s is not a directory. Choose another with --runs DIR.",
            file.resolve("app"), file);
  }
}
