// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tells the files of a directory apart from others. */
class ContentHashesTest {
  @TempDir private Path directory;

  @Test
  void kindSizeAndContentsShouldCountAndNothingElse() throws IOException {
    Files.createDirectory(directory.resolve("sub"));
    Path pool = Files.write(directory.resolve("sub/pool"), new byte[] {1, 2, 3});
    Files.createSymbolicLink(directory.resolve("link"), Path.of("sub/pool"));
    Map<String, String> before = ContentHashes.of(directory);

    Files.setLastModifiedTime(pool, FileTime.fromMillis(0));
    Files.setPosixFilePermissions(pool, PosixFilePermissions.fromString("rw-rw-rw-"));

    assertThat(before)
        .containsEntry("link", "link sub/pool")
        .containsEntry("sub", "directory")
        .hasEntrySatisfying("sub/pool", said -> assertThat(said).matches("file 3 [0-9a-f]{32}"))
        .hasSize(3)
        .isEqualTo(ContentHashes.of(directory));
    Files.write(pool, new byte[] {1, 2, 4});
    assertThat(ContentHashes.of(directory).get("sub/pool"))
        .startsWith("file 3 ")
        .isNotEqualTo(before.get("sub/pool"));
  }
}
