// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.powercut.image.files.DirectoryComparison;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.OutOfSpaceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryCopyTest {
  private static final long POOL_SIZE = 64L << 30;

  private PmArea area;
  private Path source;
  private Path target;

  @BeforeEach
  void makeDirectories() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    source = area.newDirectory().path();
    target = area.newDirectory().path();
  }

  @AfterEach
  void removeDirectories() throws IOException {
    area.close();
  }

  @Test
  void shouldCopyFilesFoldersAndLinksWithTheirPermissions() throws IOException {
    byte[] content = new byte[1_000_003];
    new Random(1).nextBytes(content);
    Bytes.write(source.resolve("pool"), 12_345, content);
    Files.createDirectories(source.resolve("parts/empty"));
    Bytes.write(source.resolve("parts/second"), 0, content);
    Files.createSymbolicLink(source.resolve("link"), Path.of("parts/second"));
    Files.createSymbolicLink(source.resolve("dangling"), Path.of("/nowhere"));
    permissions(source.resolve("pool"), "r--r-----");
    permissions(source.resolve("parts/empty"), "r-xr-xr-x");

    DirectoryCopy.copy(source, target);

    assertThat(DirectoryComparison.firstDifference(source, target)).isEmpty();
    assertThat(target.resolve("parts/empty")).isEmptyDirectory();
    assertThat(Files.readSymbolicLink(target.resolve("dangling"))).isEqualTo(Path.of("/nowhere"));
    assertThat(target.resolve("parts/second")).hasBinaryContent(content);
    assertThat(permissions(target.resolve("pool"))).isEqualTo("r--r-----");
    assertThat(permissions(target.resolve("parts/empty"))).isEqualTo("r-xr-xr-x");
  }

  @Test
  void shouldPayForWhatIsAllocatedInASparsePoolNotForItsSize() throws IOException {
    Path pool = Bytes.grow(source.resolve("pool"), POOL_SIZE);
    for (int place = 0; place < 100; place++) {
      Bytes.write(pool, place * 640_000_123L, (byte) place, (byte) 1);
    }

    DirectoryCopy.copy(source, target);

    assertThat(target.resolve("pool")).hasSize(POOL_SIZE);
    assertThat(DirectoryComparison.firstDifference(source, target)).isEmpty();
    assertThat(DirectoryCopy.allocatedBytes(target)).isBetween(1L, 1L << 20);
  }

  @Test
  void shouldCopyOnAnotherFileSystemToo() throws IOException {
    Path folder = Files.createTempDirectory("powercut-copy");
    try (PmArea onDisk = PmArea.create(folder)) {
      Path pool = Bytes.grow(source.resolve("pool"), POOL_SIZE);
      Bytes.write(pool, 5L << 30, (byte) 42);
      Path disk = onDisk.newDirectory().path();

      DirectoryCopy.copy(source, disk);
      DirectoryCopy.copy(disk, target);

      assertThat(DirectoryComparison.firstDifference(source, disk)).isEmpty();
      assertThat(DirectoryComparison.firstDifference(source, target)).isEmpty();
    } finally {
      Files.delete(folder);
    }
  }

  @Test
  void shouldLeaveOutWhatIsBoundToProcesses() throws Exception {
    Path fifo = source.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Bytes.write(source.resolve("pool"), 0, (byte) 1);

    DirectoryCopy.copy(source, target);

    assertThat(target.toFile().list()).containsExactly("pool");
    assertThat(DirectoryComparison.firstDifference(source, target)).isEmpty();
  }

  @Test
  void shouldRefuseATargetThatHoldsSomething() throws IOException {
    Bytes.write(target.resolve("pool"), 0, (byte) 1);

    assertThatThrownBy(() -> DirectoryCopy.copy(source, target)).hasMessageContaining("not empty");
  }

  @Test
  void shouldTellAFullFileSystemFromEveryOtherError() throws Exception {
    Bytes.write(source.resolve("pool"), 0, new byte[4 << 20]);
    try (TinyTmpfs tiny = TinyTmpfs.mount(target)) {
      assumeThat(tiny.mounted()).as("mounting a tmpfs of 1 MiB needs root").isTrue();

      assertThatThrownBy(() -> DirectoryCopy.copy(source, target))
          .isInstanceOfSatisfying(
              OutOfSpaceException.class,
              full -> {
                assertThat(full.path()).isEqualTo(target.resolve("pool"));
                assertThat(full.neededBytes()).isEqualTo(4L << 20);
                assertThat(full.freeBytes()).isLessThan(1L << 20);
                assertThat(full)
                    .hasMessageContaining("4.0 MiB needed")
                    .hasMessageContaining("free some");
              });
    }
  }

  private static void permissions(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
