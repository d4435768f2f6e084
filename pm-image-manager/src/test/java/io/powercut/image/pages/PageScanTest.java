// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.PmArea;
import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageScanTest {
  private static final int PAGE = PageHashing.PAGE;

  private PmArea area;
  private Path path;

  @BeforeEach
  void open() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    path = area.newDirectory().path().resolve("pool");
  }

  @AfterEach
  void close() throws IOException {
    area.close();
  }

  /** Zeros take memory until they are made a hole: 16 and 27 pages are, 15 are not. */
  @Test
  void longRunsOfZerosShouldBecomeHoles() throws IOException {
    byte[] content = new byte[61 * PAGE];
    for (int page : new int[] {0, 17, 33}) {
      Arrays.fill(content, page * PAGE, page * PAGE + 8, (byte) (page + 1));
    }
    Files.write(path, content);
    try (SparseFile file = SparseFile.openForWriting(path)) {
      PageTable scanned = PageScan.scan(file, content.length);
      assertThat(file.nextHole(0)).isEqualTo(content.length);

      PageTable again = PageScan.rescan(file, content.length, scanned);

      assertThat(again.block(0)).isSameAs(scanned.block(0));
      assertThat(file.nextHole(0)).isEqualTo(PAGE);
      assertThat(file.nextData(PAGE)).isEqualTo(17L * PAGE);
      assertThat(file.nextHole(17L * PAGE)).isEqualTo(34L * PAGE);
      assertThat(file.nextData(34L * PAGE)).isEqualTo(-1);
    }
    assertThat(path).hasBinaryContent(content);
  }

  @Test
  void pagesOfSeveralBlocksShouldBeKnown() throws IOException {
    long block = (long) PageBlock.PAGES * PAGE;
    try (SparseFile file = SparseFile.create(path, 0600)) {
      file.resize(4 * block);
    }
    try (SparseFile file = SparseFile.openForWriting(path)) {
      ByteBuffer byteOne = ByteBuffer.allocateDirect(1).put(0, (byte) 1);
      for (long offset : new long[] {0, block - 1, 2 * block, 4 * block - 1}) {
        file.write(byteOne, 0, 1, offset);
      }
      PageTable found = PageScan.scan(file, 4 * block);

      assertThat(found.blockCount()).isEqualTo(4);
      assertThat(found.block(1)).isSameAs(PageBlock.ZEROS);
      assertThat(found.block(0).isZero(0)).isFalse();
      assertThat(found.block(0).isZero(1)).isTrue();
      assertThat(found.block(0).isZero(PageBlock.PAGES - 1)).isFalse();
      assertThat(found.block(2).isZero(0)).isFalse();
      assertThat(found.block(3).isZero(PageBlock.PAGES - 1)).isFalse();
      PageTable again = PageScan.rescan(file, 4 * block, found);
      assertThat(again.block(3)).isSameAs(found.block(3));
    }
  }
}
