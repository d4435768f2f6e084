// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.files.FileRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRangeTest {
  @TempDir Path directory;
  private Path file;
  private Path other;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("file"), "a".repeat(10_000));
    other = Files.writeString(directory.resolve("other"), "b".repeat(6_000));
  }

  @Test
  void clearedRangeShouldBeZeroAndNothingElse() throws IOException {
    new FileRange(file, 100, 5_000).clear();
    assertThat(Files.readString(file))
        .isEqualTo("a".repeat(100) + "\0".repeat(5_000) + "a".repeat(4_900));
  }

  @Test
  void copiedRangeShouldBeTheOthersAndZeroWhereThatEnds() throws IOException {
    new FileRange(file, 4_096, 4_096).copyFrom(other);
    assertThat(Files.readString(file))
        .isEqualTo("a".repeat(4_096) + "b".repeat(1_904) + "\0".repeat(2_192) + "a".repeat(1_808));
  }

  @Test
  void rangeOfAFileThatIsNotThereShouldBeZero() throws IOException {
    new FileRange(file, 0, 10_000).copyFrom(directory.resolve("missing"));
    assertThat(Files.readString(file)).isEqualTo("\0".repeat(10_000));
  }
}
