// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.files.PrivateDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PmAreaTest {
  @TempDir Path parent;

  @Test
  void shouldHandOutDirectoriesWithPathsOfEqualLength() throws IOException {
    try (PmArea area = PmArea.create(parent);
        PmArea other = PmArea.create(parent)) {
      Path first = area.newDirectory().path();
      Path second = area.newDirectory().path();
      Path third = other.newDirectory().path();

      assertThat(first).isEmptyDirectory().isNotEqualTo(second);
      assertThat(second.toString()).hasSameSizeAs(first.toString());
      assertThat(third.toString()).hasSameSizeAs(first.toString());
    }
  }

  @Test
  void shouldBeClosedToOtherUsers() throws IOException {
    try (PmArea area = PmArea.create(parent)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(area.root())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void shouldRemoveOneDirectoryAndKeepTheRest() throws IOException {
    try (PmArea area = PmArea.create(parent)) {
      PrivateDirectory kept = area.newDirectory();
      PrivateDirectory removed = area.newDirectory();
      Files.writeString(removed.path().resolve("pool"), "content");

      removed.close();
      removed.close();

      assertThat(removed.path()).doesNotExist();
      assertThat(kept.path()).exists();
    }
  }

  @Test
  void shouldLeaveNothingBehindAndFollowNoLinkOut() throws IOException {
    Path outside = Files.writeString(parent.resolve("outside"), "precious");
    PmArea area = PmArea.create(parent);
    Path directory = area.newDirectory().path();
    Files.createSymbolicLink(directory.resolve("file"), outside);
    Files.createSymbolicLink(directory.resolve("folder"), parent);
    Path locked = Files.createDirectories(directory.resolve("a/b"));
    Files.writeString(locked.resolve("pool"), "content");
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));

    area.close();
    area.close();

    assertThat(OpenFiles.below(parent)).isEmpty();
    assertThat(parent).isDirectoryContaining(outside::equals);
    assertThat(parent.toFile().list()).containsExactly("outside");
    assertThat(outside).hasContent("precious");
  }

  @Test
  void shouldSayThatTheParentIsMissing() {
    assertThatThrownBy(() -> PmArea.create(parent.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void shouldKeepAreasOfLivingOwnersAndRemoveThoseOfKilledOnes() throws Exception {
    Process holder = AreaHolder.start(parent);
    try (PmArea mine = PmArea.create(parent);
        BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
      Path theirs = Path.of(output.readLine());
      Path unrelated = Files.createDirectory(parent.resolve("powercut-2026-results"));

      assertThat(PmArea.removeAbandoned(parent)).isEmpty();
      assertThat(theirs).exists();

      holder.destroyForcibly().waitFor();

      assertThat(PmArea.removeAbandoned(parent)).containsExactly(theirs);
      assertThat(theirs).doesNotExist();
      assertThat(mine.root()).exists();
      assertThat(unrelated).exists();
    } finally {
      holder.destroyForcibly();
    }
  }
}
