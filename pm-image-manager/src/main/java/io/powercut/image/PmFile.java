package io.powercut.image;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A file of the current state: its size, its pages' hashes and places, and its names. */
final class PmFile {
  /** Permissions of files that the program creates: a trace does not tell them. */
  static final int CREATED_PERMISSIONS = 0644;

  private final Optional<Path> base;
  private final int permissions;
  private final SortedSet<Path> names = new TreeSet<>();
  private final PageTable pages;
  private final PageSum sum;
  private final CachedPages cached = new CachedPages();
  private long size;
  private ImageEntry.@Nullable File frozen;

  private PmFile(Optional<Path> base, int permissions, long size, PageTable pages) {
    this.base = base;
    this.permissions = permissions;
    this.size = size;
    this.pages = pages;
    this.sum = PageSum.of(pages);
  }

  static PmFile ofBase(Path path, int permissions, long size, PageTable pages) {
    return new PmFile(Optional.of(path), permissions, size, pages);
  }

  static PmFile created(long size) {
    return new PmFile(Optional.empty(), CREATED_PERMISSIONS, size, new PageTable());
  }

  /** Where pages that were never stored to have their contents. */
  Optional<Path> base() {
    return base;
  }

  SortedSet<Path> names() {
    return names;
  }

  PageSum sum() {
    return sum;
  }

  CachedPages cached() {
    return cached;
  }

  long size() {
    return size;
  }

  void setSize(long newSize) {
    size = newSize;
    frozen = null;
  }

  PageBlock block(long page) {
    return pages.blockOf(page);
  }

  boolean isZero(long page) {
    return block(page).isZero(PageTable.indexInBlock(page));
  }

  int slot(long page) {
    return block(page).slot(PageTable.indexInBlock(page));
  }

  /** True if the hash is another than before. */
  boolean setHash(long page, long low, long high, int epoch) {
    int index = PageTable.indexInBlock(page);
    PageBlock old = block(page);
    if (old.low(index) == low && old.high(index) == high) {
      return false;
    }
    sum.remove(page, old.low(index), old.high(index));
    sum.add(page, low, high);
    pages.ownedBlockOf(page, epoch).setHash(index, low, high);
    frozen = null;
    return true;
  }

  void setSlot(long page, int slot, int epoch) {
    if (slot(page) != slot) {
      pages.ownedBlockOf(page, epoch).setSlot(PageTable.indexInBlock(page), slot);
      frozen = null;
    }
  }

  /** The file as it is now; the same object as long as nothing changes. */
  ImageEntry.File freeze() {
    ImageEntry.File result = frozen;
    if (result == null) {
      result = ImageEntry.File.of(size, permissions, pages.copy(), sum.copy(), base);
      frozen = result;
    }
    return result;
  }
}
