// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void filesShouldComeBackWithTheirHoles() throws Exception {
    Path given = Files.createDirectory(folder.resolve("given"));
    try (RandomAccessFile pool = new RandomAccessFile(given.resolve("pool").toFile(), "rw")) {
      pool.setLength(64L << 20);
      pool.seek(1 << 20);
      pool.writeBytes("data");
    }
    Path archive = folder.resolve("archive");

    Folders.pack(given, archive);
    Folders.unpack(archive, folder.resolve("back"));

    assertThat(Files.size(archive)).isLessThan(10_000);
    assertThat(folder.resolve("back/pool")).hasSameBinaryContentAs(given.resolve("pool"));
  }

  @Test
  void whatALinkLeadsToShouldStay() throws Exception {
    Path kept = Files.writeString(folder.resolve("kept"), "kept");
    Path removed = Files.createDirectory(folder.resolve("removed"));
    Files.createSymbolicLink(removed.resolve("link"), kept);

    Folders.remove(removed);

    assertThat(removed).doesNotExist();
    assertThat(kept).hasContent("kept");
  }

  @Test
  void anArchiveThatIsNoneShouldBeRefused() throws Exception {
    Path archive = Files.writeString(folder.resolve("archive"), "no archive");

    assertThatThrownBy(() -> Folders.unpack(archive, folder.resolve("back")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tar -xzSf");
  }
}
