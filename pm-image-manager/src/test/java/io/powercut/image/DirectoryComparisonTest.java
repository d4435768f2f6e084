// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryComparisonTest {
  private static final Path POOL = Path.of("pool");

  @TempDir Path first;
  @TempDir Path second;

  @BeforeEach
  void makeEqualPools() throws IOException {
    for (Path directory : new Path[] {first, second}) {
      Bytes.grow(directory.resolve("pool"), 3 << 20);
      Bytes.write(directory.resolve("pool"), 1 << 20, new byte[] {1, 2, 3, 4});
    }
  }

  @Test
  void shouldFindNoDifferenceBetweenAHoleAndZeros() throws IOException {
    Bytes.write(second.resolve("pool"), 2 << 20, new byte[100_000]);

    assertThat(DirectoryComparison.firstDifference(first, second)).isEmpty();
  }

  @Test
  void shouldShowFileOffsetAndBytesOfTheFirstDifference() throws IOException {
    Bytes.write(second.resolve("pool"), (3 << 20) - 2, new byte[] {9});
    Bytes.write(second.resolve("pool"), (1 << 20) + 2, new byte[] {7});

    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(
            new Difference.BytesDiffer(
                POOL, (1 << 20) + 2, "0304" + "00".repeat(14), "0704" + "00".repeat(14)));
  }

  @Test
  void shouldShowADifferenceInTheLastByte() throws IOException {
    Bytes.write(second.resolve("pool"), (3 << 20) - 1, new byte[] {9});

    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(new Difference.BytesDiffer(POOL, (3 << 20) - 1, "00", "09"))
        .get()
        .extracting(Difference::describe)
        .isEqualTo("pool differs from offset 0x2fffff: 00 in the first, 09 in the second");
  }

  @Test
  void shouldShowDifferentSizes() throws IOException {
    Bytes.grow(second.resolve("pool"), 5 << 20);

    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(new Difference.SizeDiffers(POOL, 3 << 20, 5 << 20));
  }

  @Test
  void shouldShowWhatOnlyOneOfThemHas() throws IOException {
    Files.createDirectories(second.resolve("folder"));
    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(new Difference.OnlyInSecond(Path.of("folder")));

    Files.createDirectories(first.resolve("another"));
    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(new Difference.OnlyInFirst(Path.of("another")));
  }

  @Test
  void shouldShowThatALinkIsNoFile() throws IOException {
    Files.move(second.resolve("pool"), second.resolve("real"));
    Files.createSymbolicLink(second.resolve("pool"), Path.of("real"));

    assertThat(DirectoryComparison.firstDifference(first, second))
        .contains(new Difference.KindDiffers(POOL, "file", "link to real"));
  }
}
