// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSpaceTest {
  /** Others write to the same file system meanwhile. */
  private static final Offset<Long> OTHERS = Offset.offset(1L << 30);

  @Test
  void placeThatIsYetToBeMadeShouldHaveWhatItsFileSystemHas(@TempDir Path folder)
      throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();

    assertThat(FreeSpace.at(folder).bytes()).isPositive().isCloseTo(free, OTHERS);
    assertThat(FreeSpace.at(folder.resolve("yet/to/be/made")).bytes()).isCloseTo(free, OTHERS);
  }

  @Test
  void inodesShouldOnlyBeKnownWhereTheyAreCounted() {
    assertThat(FreeSpace.at(Path.of("/dev/shm")).inodes().orElse(0)).isPositive();
    assertThat(FreeSpace.at(Path.of("/proc")).inodes()).isEmpty();
  }

  @Test
  void onlyMissingInodesShouldBeMentioned() {
    assertThat(new FreeSpace(3 << 19, OptionalLong.empty())).hasToString("1.5 MiB free");
    assertThat(new FreeSpace(3 << 19, OptionalLong.of(1))).hasToString("1.5 MiB free");
    assertThat(new FreeSpace(3 << 19, OptionalLong.of(0)))
        .hasToString("1.5 MiB free, but none of its inodes, which each file needs");
  }
}
