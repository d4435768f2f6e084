// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTextTest {
  @TempDir private Path folder;

  @Test
  void onlyRegularFilesShouldBeRead() throws IOException {
    Path file = folder.resolve("a.c");
    Files.writeString(file, "int größe;");

    assertThat(SourceText.of(file.toString())).isEqualTo("int größe;");
    assertThat(SourceText.of(folder.toString())).isEmpty();
    assertThat(SourceText.of("/dev/zero")).isEmpty();
    assertThat(SourceText.of("a.c")).isEmpty();
    assertThat(SourceText.of("a\0.c")).isEmpty();
  }
}
