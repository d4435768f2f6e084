// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The pages that were stored to last, in memory outside the heap, bounded whatever the size of the
 * files. Which of them give way is decided by the clock algorithm.
 */
final class PageCache {
  private static final int SLAB_BITS = 10;
  private static final int SLAB_PAGES = 1 << SLAB_BITS;

  /** Bits of a page's state. */
  private static final byte USED = 1;

  /** Stored to since its hash was computed. */
  private static final byte DIRTY = 2;

  /** Its hash has changed since its content was put into the {@link PageStore}. */
  private static final byte UNSAVED = 4;

  private static final byte HOT = USED | DIRTY;

  /** Where a page that gives way is kept. */
  interface Keeper {
    /** Brings the page's hash up to date, and its content into the store if it is not there. */
    void keep(PmFile file, long page, int place) throws IOException;
  }

  private final Keeper keeper;
  private final int capacity;
  private final ByteBuffer[] slabs;
  private final @Nullable PmFile[] files;
  private final long[] pages;
  private final byte[] states;
  private final IntStack free = new IntStack();
  private final IntStack dirty = new IntStack();
  private final IntStack unsaved = new IntStack();
  private int allocated;
  private int hand;

  PageCache(long bytes, Keeper keeper) {
    this.keeper = keeper;
    int slabCount = Math.toIntExact(Math.max(1, bytes >>> (SLAB_BITS + PageHashing.PAGE_BITS)));
    this.capacity = slabCount << SLAB_BITS;
    this.slabs = new ByteBuffer[slabCount];
    this.files = new PmFile[capacity];
    this.pages = new long[capacity];
    this.states = new byte[capacity];
  }

  /** The memory that holds a page; where in it says {@link #offset}. */
  ByteBuffer memory(int place) {
    return slabs[place >>> SLAB_BITS];
  }

  static int offset(int place) {
    return (place & (SLAB_PAGES - 1)) << PageHashing.PAGE_BITS;
  }

  /** Says that the page is being stored to. */
  void touch(int place) {
    byte state = states[place];
    if ((state & HOT) != HOT) {
      states[place] = (byte) (state | HOT);
      if ((state & DIRTY) == 0) {
        dirty.push(place);
      }
    }
  }

  /** A place for a page; another page may have to give way. Its memory holds anything. */
  int add(PmFile file, long page) throws IOException {
    int place = takePlace();
    files[place] = file;
    pages[place] = page;
    states[place] = USED;
    file.cached().put(page, place);
    return place;
  }

  /** Forgets a page and its content. */
  void drop(PmFile file, long page) {
    int place = file.cached().get(page);
    if (place >= 0) {
      release(place);
      free.push(place);
    }
  }

  /** Calls for every page stored to since its last call. */
  void forEachDirty(Keeper action) throws IOException {
    // An action adds no pages, so nothing gives way meanwhile.
    for (int index = 0; index < dirty.size(); index++) {
      int place = dirty.get(index);
      PmFile file = files[place];
      if (file != null && (states[place] & DIRTY) != 0) {
        states[place] &= ~DIRTY;
        action.keep(file, pages[place], place);
      }
    }
    dirty.clear();
  }

  /** Says that the page's content is not in the store any more. */
  void setUnsaved(int place) {
    if ((states[place] & UNSAVED) == 0) {
      states[place] |= UNSAVED;
      unsaved.push(place);
    }
  }

  boolean isUnsaved(int place) {
    return (states[place] & UNSAVED) != 0;
  }

  boolean isDirty(int place) {
    return (states[place] & DIRTY) != 0;
  }

  /** Calls for every page whose content is not in the store; it is afterwards. */
  void forEachUnsaved(Keeper action) throws IOException {
    for (int index = 0; index < unsaved.size(); index++) {
      int place = unsaved.get(index);
      PmFile file = files[place];
      if (file != null && isUnsaved(place)) {
        action.keep(file, pages[place], place);
        states[place] &= ~UNSAVED;
      }
    }
    unsaved.clear();
  }

  private int takePlace() throws IOException {
    if (!free.isEmpty()) {
      return free.pop();
    }
    if (allocated < capacity) {
      if ((allocated & (SLAB_PAGES - 1)) == 0) {
        slabs[allocated >>> SLAB_BITS] =
            ByteBuffer.allocateDirect(SLAB_PAGES << PageHashing.PAGE_BITS)
                .order(ByteOrder.LITTLE_ENDIAN);
      }
      return allocated++;
    }
    return evict();
  }

  private int evict() throws IOException {
    while ((states[hand] & USED) != 0) {
      states[hand] &= ~USED;
      hand = hand + 1 == capacity ? 0 : hand + 1;
    }
    int place = hand;
    hand = hand + 1 == capacity ? 0 : hand + 1;
    PmFile file = files[place];
    if (file != null) {
      keeper.keep(file, pages[place], place);
    }
    release(place);
    return place;
  }

  private void release(int place) {
    PmFile file = files[place];
    if (file != null) {
      file.cached().remove(pages[place]);
    }
    files[place] = null;
    states[place] = 0;
  }
}
