// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Changes files from what they hold to what an image holds, by the pages that differ. */
public final class PageWriter implements AutoCloseable {
  private static final int BATCH = 64;

  private final PageReader reader;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BATCH << PageHashing.PAGE_BITS);

  public PageWriter(PageStore store) {
    this.reader = new PageReader(store);
  }

  /**
   * Changes one file, which has the wanted size.
   *
   * @param present what it holds
   * @param kept pages from this one on hold zeros, whatever {@code present} says
   */
  public void write(SparseFile out, PageTable present, long kept, ImageEntry.File wanted)
      throws IOException {
    int blocks = Math.max(present.blockCount(), wanted.pages().blockCount());
    for (int index = 0; index < blocks; index++) {
      PageBlock want = wanted.pages().block(index);
      long first = (long) index << PageBlock.BITS;
      // A vast file is mostly holes: whole blocks of zeros must cost nothing.
      PageBlock have = first < kept ? present.block(index) : PageBlock.ZEROS;
      boolean isKeptInPart = first < kept && kept < first + PageBlock.PAGES;
      if (want != have || isKeptInPart) {
        int keptHere = (int) Math.max(0, Math.min(PageBlock.PAGES, kept - first));
        writeBlock(out, first, new BlockPlan(have, keptHere, want), wanted);
      }
    }
  }

  private void writeBlock(SparseFile out, long first, BlockPlan plan, ImageEntry.File wanted)
      throws IOException {
    int page = 0;
    while (page < PageBlock.PAGES) {
      int end = plan.endOfRun(page);
      switch (plan.action(page)) {
        case KEEP -> {}
        case CLEAR -> clear(out, first + page, end - page, wanted.size());
        case WRITE -> copy(out, first + page, end - page, plan.want().slot(page), wanted);
      }
      page = end;
    }
  }

  private void clear(SparseFile out, long page, int count, long size) throws IOException {
    if (out.punch(page << PageHashing.PAGE_BITS, (long) count << PageHashing.PAGE_BITS)) {
      return;
    }
    PageReader.zero(buffer, 0, buffer.capacity());
    for (int done = 0; done < count; done += BATCH) {
      put(out, page + done, Math.min(BATCH, count - done), size);
    }
  }

  private void copy(SparseFile out, long page, int count, int slot, ImageEntry.File wanted)
      throws IOException {
    for (int done = 0; done < count; done += BATCH) {
      int pages = Math.min(BATCH, count - done);
      reader.read(wanted, page + done, pages, slot > 0 ? slot + done : slot, buffer);
      put(out, page + done, pages, wanted.size());
    }
  }

  private void put(SparseFile out, long page, int count, long size) throws IOException {
    long offset = page << PageHashing.PAGE_BITS;
    int length = (int) Math.min((long) count << PageHashing.PAGE_BITS, size - offset);
    if (length > 0) {
      out.write(buffer, 0, length, offset);
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
