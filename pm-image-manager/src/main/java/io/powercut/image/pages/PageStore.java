// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the contents of changed pages in one file, each in a numbered slot, for as long as the
 * current state or an open image needs them.
 *
 * <p>Time is counted in epochs: image <i>e</i> ends epoch <i>e</i>. A page put in epoch <i>b</i>
 * and superseded in epoch <i>d</i> belongs to the images from <i>b</i> to <i>d</i> - 1, so its slot
 * is free as soon as none of these is open.
 */
public final class PageStore implements AutoCloseable {
  /** The open images of one epoch: one, and those that differ from it in some lines. */
  private static final class OpenImages {
    private final IntStack orphans = new IntStack();
    private int count;
  }

  private final SparseFile file;
  private final IntStack free = new IntStack();
  private final TreeMap<Integer, OpenImages> openImages = new TreeMap<>();
  private int[] births = new int[1024];
  private int[] deaths = new int[1024];
  private int lastSlot;

  PageStore(PrivateDirectory directory) throws IOException {
    this.file = SparseFile.create(directory.path().resolve("pages"), 0600);
  }

  /** Keeps a page; the answer is its slot, never 0. */
  int put(ByteBuffer direct, int offset, int epoch) throws IOException {
    int slot = takeSlot(epoch);
    boolean written = false;
    try {
      file.write(direct, offset, PageHashing.PAGE, position(slot));
      written = true;
    } finally {
      if (!written) {
        supersede(slot, epoch);
      }
    }
    return slot;
  }

  /** Reads consecutive slots. */
  void read(int slot, int count, ByteBuffer direct, int offset) throws IOException {
    int length = count << PageHashing.PAGE_BITS;
    if (file.read(direct, offset, length, position(slot)) != length) {
      throw new IOException(file.path() + " was truncated by another process");
    }
  }

  /** The current state does not need the slot any more, from this epoch on. */
  synchronized void supersede(int slot, int epoch) {
    deaths[slot] = epoch;
    passOn(slot);
  }

  /** One more image of an epoch; the first one before the epoch's pages are superseded. */
  public synchronized void openImage(int epoch) {
    openImages.computeIfAbsent(epoch, first -> new OpenImages()).count++;
  }

  /** One image of an epoch less. */
  public synchronized void closeImage(int epoch) {
    OpenImages images = openImages.get(epoch);
    if (images == null || --images.count > 0) {
      return;
    }
    openImages.remove(epoch);
    while (!images.orphans.isEmpty()) {
      passOn(images.orphans.pop());
    }
  }

  /** Pages kept at this moment. */
  public synchronized int size() {
    return lastSlot - free.size();
  }

  @Override
  public void close() {
    file.close();
  }

  private synchronized int takeSlot(int epoch) {
    int slot = free.isEmpty() ? ++lastSlot : free.pop();
    if (slot == births.length) {
      births = Arrays.copyOf(births, 2 * slot);
      deaths = Arrays.copyOf(deaths, 2 * slot);
    }
    births[slot] = epoch;
    return slot;
  }

  /** Hands a superseded slot to an image that needs it, or frees it. */
  private void passOn(int slot) {
    Map.Entry<Integer, OpenImages> images = openImages.lowerEntry(deaths[slot]);
    if (images != null && images.getKey() >= births[slot]) {
      images.getValue().orphans.push(slot);
    } else {
      free.push(slot);
    }
  }

  private static long position(int slot) {
    return (long) (slot - 1) << PageHashing.PAGE_BITS;
  }
}
