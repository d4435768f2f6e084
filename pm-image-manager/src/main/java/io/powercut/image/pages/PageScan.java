// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.util.Arrays;

/** Hashes what a file holds, from one piece of data to the next. */
public final class PageScan {
  private static final long BLOCK_BYTES = (long) PageBlock.PAGES << PageHashing.PAGE_BITS;

  /** Runs of zeros as long as this are made holes, so that they are not scanned again. */
  private static final int PUNCHED_RUN = 16;

  private final SparseFile file;
  private final long size;
  private final boolean punching;
  private final long[] hashes = new long[2 * PageBlock.PAGES];

  private PageScan(SparseFile file, long size, boolean punching) {
    this.file = file;
    this.size = size;
    this.punching = punching;
  }

  /** What is in the file. */
  public static PageTable scan(SparseFile file, long size) throws IOException {
    return new PageScan(file, size, false).run(new PageTable());
  }

  /**
   * What is in the file, with the blocks of an earlier table where nothing has changed. Memory that
   * is allocated for zeros is given back: a program that reads a hole through a mapping allocates
   * it.
   */
  public static PageTable rescan(SparseFile file, long size, PageTable earlier) throws IOException {
    return new PageScan(file, size, true).run(earlier);
  }

  private PageTable run(PageTable earlier) throws IOException {
    PageTable found = new PageTable();
    long data = nextData(0);
    // Looking for the next hole walks over all data before it, so it is done once for each.
    long hole = nextHole(data);
    while (data < size) {
      int index = (int) (data / BLOCK_BYTES);
      long end = Math.min(size, (index + 1) * BLOCK_BYTES);
      Arrays.fill(hashes, 0);
      while (data < end) {
        scanExtent(index, data, Math.min(hole, end));
        if (hole <= end) {
          data = nextData(hole);
          hole = nextHole(data);
        } else {
          data = end;
        }
      }
      PageBlock known = earlier.block(index);
      found.setBlock(index, known.sameHashes(hashes) ? known : PageBlock.ofHashes(hashes));
    }
    return found;
  }

  private void scanExtent(int index, long from, long to) throws IOException {
    long firstPage = from >>> PageHashing.PAGE_BITS;
    int pages = (int) (PageHashing.pagesOf(to) - firstPage);
    int position = (int) (firstPage - ((long) index << PageBlock.BITS));
    PageHashing.hash(file, firstPage, pages, hashes, 2 * position);
    if (punching) {
      punchZeros(firstPage, position, position + pages);
    }
  }

  private void punchZeros(long firstPage, int position, int end) {
    int start = position;
    for (int page = position; page <= end; page++) {
      if (page == end || (hashes[2 * page] | hashes[2 * page + 1]) != 0) {
        if (page - start >= PUNCHED_RUN) {
          long offset = (firstPage + start - position) << PageHashing.PAGE_BITS;
          file.punch(offset, (long) (page - start) << PageHashing.PAGE_BITS);
        }
        start = page + 1;
      }
    }
  }

  private long nextData(long from) throws IOException {
    if (from >= size) {
      return size;
    }
    long data = file.nextData(from);
    return data < 0 ? size : data;
  }

  private long nextHole(long from) throws IOException {
    return from >= size ? size : Math.min(size, file.nextHole(from));
  }
}
