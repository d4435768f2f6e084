// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import it.unimi.dsi.fastutil.longs.LongAVLTreeSet;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/**
 * Gives files of an image bytes that they have in another one. Whole pages are shared with the
 * other image; pages of which only some bytes are borrowed are kept in memory.
 */
public final class BorrowedBytes implements AutoCloseable {
  /** No image and no state has blocks of this epoch. */
  private static final int EPOCH = -3;

  private final PageReader reader;
  private final ByteBuffer page = ByteBuffer.allocateDirect(PageHashing.PAGE);
  private final ByteBuffer lent = ByteBuffer.allocateDirect(PageHashing.PAGE);
  private final long[] hash = new long[2];

  public BorrowedBytes(PageStore store) {
    this.reader = new PageReader(store);
  }

  /**
   * A file with bytes of another moment. Nothing lies over either of both.
   *
   * @param lender the same file at that moment
   * @param offsets of the bytes, all in both
   * @return the file itself if it has the same bytes there
   */
  public ImageEntry.File over(ImageEntry.File file, ImageEntry.File lender, RangeSet<Long> offsets)
      throws IOException {
    LongSortedSet different = different(file, lender, offsets);
    if (different.isEmpty()) {
      return file;
    }
    TreeMap<Long, byte[]> mixed = new TreeMap<>();
    ImageEntry.File changed =
        new ImageEntry.File(
            file.size(),
            file.attributes(),
            file.pages().copy(),
            file.sum().copy(),
            file.base(),
            (from, to, direct) ->
                mixed
                    .subMap(from, to)
                    .forEach((start, bytes) -> direct.put(Math.toIntExact(start - from), bytes)),
            file.names());
    for (long number : different) {
      Range<Long> bytes =
          Range.closedOpen(number << PageHashing.PAGE_BITS, (number + 1) << PageHashing.PAGE_BITS);
      if (offsets.encloses(bytes)) {
        PageBlock theirs = lender.pages().blockOf(number);
        int index = PageTable.indexInBlock(number);
        set(changed, number, theirs.low(index), theirs.high(index), theirs.slot(index));
      } else {
        mixed.put(bytes.lowerEndpoint(), mix(changed, lender, number, offsets.subRangeSet(bytes)));
      }
    }
    return changed;
  }

  /** The pages in which some of the bytes lie, and that are not the same in both. */
  private static LongSortedSet different(
      ImageEntry.File file, ImageEntry.File lender, RangeSet<Long> offsets) {
    LongSortedSet different = new LongAVLTreeSet();
    for (Range<Long> range : offsets.asRanges()) {
      long last = (range.upperEndpoint() - 1) >>> PageHashing.PAGE_BITS;
      long number = range.lowerEndpoint() >>> PageHashing.PAGE_BITS;
      while (number <= last) {
        PageBlock mine = file.pages().blockOf(number);
        PageBlock theirs = lender.pages().blockOf(number);
        if (mine == theirs) {
          number |= PageBlock.PAGES - 1;
        } else if (!mine.samePage(theirs, PageTable.indexInBlock(number))) {
          different.add(number);
        }
        number++;
      }
    }
    return different;
  }

  private byte[] mix(
      ImageEntry.File file, ImageEntry.File lender, long number, RangeSet<Long> offsets)
      throws IOException {
    read(file, number, page);
    read(lender, number, lent);
    long start = number << PageHashing.PAGE_BITS;
    for (Range<Long> range : offsets.asRanges()) {
      int from = Math.toIntExact(range.lowerEndpoint() - start);
      page.put(from, lent, from, Math.toIntExact(range.upperEndpoint() - start) - from);
    }
    PageHashing.hash(page, 0, hash);
    set(file, number, hash[0], hash[1], slot(file, number));
    byte[] bytes = new byte[PageHashing.PAGE];
    page.get(0, bytes);
    return bytes;
  }

  private void read(ImageEntry.File file, long number, ByteBuffer into) throws IOException {
    reader.read(file, number, 1, slot(file, number), into);
  }

  private static int slot(ImageEntry.File file, long number) {
    PageBlock block = file.pages().blockOf(number);
    int index = PageTable.indexInBlock(number);
    return block.isZero(index) ? PageBlock.ZEROS_BELOW : block.slot(index);
  }

  private static void set(ImageEntry.File file, long number, long low, long high, int slot) {
    int index = PageTable.indexInBlock(number);
    PageBlock block = file.pages().ownedBlockOf(number, EPOCH);
    file.sum().remove(number, block.low(index), block.high(index));
    file.sum().add(number, low, high);
    block.setHash(index, low, high);
    block.setSlot(index, slot);
  }

  @Override
  public void close() {
    reader.close();
  }
}
