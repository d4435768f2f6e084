// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.PrivateDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Changes the pages of {@link PmFile}s: those that are stored to are in a {@link PageCache} first,
 * in the {@link PageStore} when they give way or belong to an image. A page's content is, in this
 * order: what the cache holds; what its slot holds; zeros if its hash is 0; what the base file
 * holds.
 */
public final class PageMemory implements AutoCloseable {
  private final PageStore store;
  private final PageCache cache;
  private final BaseFiles baseFiles = new BaseFiles();
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(PageHashing.PAGE);
  private final long[] hash = new long[2];
  private int epoch;

  public PageMemory(PrivateDirectory scratch, long cacheBytes) throws IOException {
    this.store = new PageStore(scratch);
    this.cache = new PageCache(cacheBytes, this::keep);
  }

  public PageStore store() {
    return store;
  }

  /** Stores bytes; what lies beyond the end of the file is dropped. */
  public void store(PmFile file, long offset, int size, ByteBuffer bytes, int position)
      throws IOException {
    int inPage = (int) offset & (PageHashing.PAGE - 1);
    if (size == Long.BYTES
        && inPage <= PageHashing.PAGE - Long.BYTES
        && offset <= file.size() - Long.BYTES) {
      // Nearly all stores are like this.
      int place = writable(file, offset >>> PageHashing.PAGE_BITS);
      cache.memory(place).putLong(PageCache.offset(place) + inPage, littleLong(bytes, position));
    } else {
      int inside = (int) Math.max(0, Math.min(size, file.size() - offset));
      storePieces(file, offset, inside, bytes, position);
    }
  }

  private void storePieces(PmFile file, long offset, int size, ByteBuffer bytes, int position)
      throws IOException {
    int done = 0;
    while (done < size) {
      long to = offset + done;
      int inPage = (int) to & (PageHashing.PAGE - 1);
      int length = Math.min(size - done, PageHashing.PAGE - inPage);
      int place = writable(file, to >>> PageHashing.PAGE_BITS);
      cache.memory(place).put(PageCache.offset(place) + inPage, bytes, position + done, length);
      done += length;
    }
  }

  private static long littleLong(ByteBuffer bytes, int position) {
    long value = bytes.getLong(position);
    return bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Reads bytes; those after the end of the file are zero. */
  public void read(PmFile file, long offset, byte[] into) throws IOException {
    int done = 0;
    while (done < into.length) {
      long from = offset + done;
      int inPage = (int) from & (PageHashing.PAGE - 1);
      int length = Math.min(into.length - done, PageHashing.PAGE - inPage);
      int place = cached(file, from >>> PageHashing.PAGE_BITS);
      cache.memory(place).get(PageCache.offset(place) + inPage, into, done, length);
      done += length;
    }
  }

  /** The page's place in the cache, for storing to it. */
  private int writable(PmFile file, long page) throws IOException {
    int place = cached(file, page);
    cache.touch(place);
    return place;
  }

  private int cached(PmFile file, long page) throws IOException {
    int place = file.cached().get(page);
    return place < 0 ? load(file, page) : place;
  }

  private int load(PmFile file, long page) throws IOException {
    int place = cache.add(file, page);
    boolean loaded = false;
    try {
      fill(file, page, cache.memory(place), PageCache.offset(place));
      loaded = true;
    } finally {
      if (!loaded) {
        cache.drop(file, page);
      }
    }
    return place;
  }

  private void fill(PmFile file, long page, ByteBuffer memory, int offset) throws IOException {
    int slot = file.slot(page);
    Path base = file.base().orElse(null);
    if (slot > 0) {
      store.read(slot, 1, memory, offset);
    } else if (base == null || file.isZero(page)) {
      memory.put(offset, zeros, 0, PageHashing.PAGE);
    } else {
      baseFiles.read(base, page, 1, memory, offset);
    }
  }

  /** Makes a range zero, which ends at the end of the file at the latest. */
  public void zero(PmFile file, long from, long to) throws IOException {
    boolean toEnd = to >= file.size();
    long firstWhole = PageHashing.pagesOf(from);
    long endWhole = toEnd ? PageHashing.pagesOf(to) : to >>> PageHashing.PAGE_BITS;
    if (endWhole < firstWhole) {
      zeroPart(file, from, to);
      return;
    }
    zeroPart(file, from, firstWhole << PageHashing.PAGE_BITS);
    zeroPages(file, firstWhole, endWhole);
    zeroPart(file, endWhole << PageHashing.PAGE_BITS, to);
  }

  /** Within one page; nothing if the range is empty. */
  private void zeroPart(PmFile file, long from, long to) throws IOException {
    long page = from >>> PageHashing.PAGE_BITS;
    if (to <= from || (file.cached().get(page) < 0 && file.isZero(page))) {
      return;
    }
    int place = writable(file, page);
    int start = PageCache.offset(place) + ((int) from & (PageHashing.PAGE - 1));
    cache.memory(place).put(start, zeros, 0, (int) (to - from));
  }

  /** Costs what is there, however long the range. */
  private void zeroPages(PmFile file, long from, long to) {
    long page = from;
    while (page < to) {
      int block = (int) (page >>> PageBlock.BITS);
      long end = Math.min(to, (block + 1L) << PageBlock.BITS);
      if (file.cached().hasBlock(block) || file.block(page) != PageBlock.ZEROS) {
        zeroPagesOfBlock(file, page, end);
      }
      page = end;
    }
  }

  private void zeroPagesOfBlock(PmFile file, long from, long to) {
    for (long page = from; page < to; page++) {
      cache.drop(file, page);
      setSlot(file, page, 0);
      file.setHash(page, 0, 0, epoch);
    }
  }

  /** Brings the hashes of all pages up to date. */
  public void rehash() throws IOException {
    cache.forEachDirty(this::rehash);
  }

  /** Brings all pages into the store and ends an epoch, of which the answer is the number. */
  public int save() throws IOException {
    rehash();
    cache.forEachUnsaved(this::save);
    return epoch++;
  }

  /** Before a page leaves the cache. */
  private void keep(PmFile file, long page, int place) throws IOException {
    if (cache.isDirty(place)) {
      rehash(file, page, place);
    }
    if (cache.isUnsaved(place)) {
      save(file, page, place);
    }
  }

  private void rehash(PmFile file, long page, int place) {
    PageHashing.hash(cache.memory(place), PageCache.offset(place), hash);
    if (file.setHash(page, hash[0], hash[1], epoch)) {
      cache.setUnsaved(place);
    }
  }

  private void save(PmFile file, long page, int place) throws IOException {
    int slot =
        file.isZero(page) ? 0 : store.put(cache.memory(place), PageCache.offset(place), epoch);
    setSlot(file, page, slot);
  }

  private void setSlot(PmFile file, long page, int slot) {
    int old = file.slot(page);
    file.setSlot(page, slot, epoch);
    if (old > 0) {
      store.supersede(old, epoch);
    }
  }

  @Override
  public void close() {
    baseFiles.close();
    store.close();
  }
}
