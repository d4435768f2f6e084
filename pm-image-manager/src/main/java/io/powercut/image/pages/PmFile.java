// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.EntryAttributes;
import io.powercut.trace.FileAttributes;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A file of the current state: its size, attributes and names, its pages' hashes and places. */
public final class PmFile {
  /** Of files that the program creates, until the trace has them. */
  private static final int CREATED_PERMISSIONS = 0644;

  private final Optional<Path> base;
  private final SortedSet<Path> names = new TreeSet<>();
  private final PageTable pages;
  private final PageSum sum;
  private final CachedPages cached = new CachedPages();
  private FileAttributes attributes;
  private boolean attributesTold;
  private long size;
  private ImageEntry.@Nullable File frozen;

  private PmFile(Optional<Path> base, FileAttributes attributes, long size, PageTable pages) {
    this.base = base;
    this.attributes = attributes;
    this.size = size;
    this.pages = pages;
    this.sum = PageSum.of(pages);
  }

  public static PmFile ofBase(Path path, FileAttributes attributes, long size, PageTable pages) {
    return new PmFile(Optional.of(path), attributes, size, pages);
  }

  public static PmFile created(long size) {
    return new PmFile(
        Optional.empty(), EntryAttributes.created(CREATED_PERMISSIONS), size, new PageTable());
  }

  /** Where pages that were never stored to have their contents. */
  Optional<Path> base() {
    return base;
  }

  public SortedSet<Path> names() {
    return Collections.unmodifiableSortedSet(names);
  }

  public void addName(Path name) {
    names.add(name);
    namesChanged(names.size());
  }

  public void removeName(Path name) {
    int before = names.size();
    names.remove(name);
    namesChanged(before);
  }

  /** An image knows the names of a file only if there are several. */
  private void namesChanged(int most) {
    if (most > 1) {
      frozen = null;
    }
  }

  public FileAttributes attributes() {
    return attributes;
  }

  /** Whether the trace has the attributes. */
  public boolean attributesTold() {
    return attributesTold;
  }

  public void setAttributes(FileAttributes told) {
    attributes = told;
    attributesTold = true;
    frozen = null;
  }

  /** Adds this under one of its names to the hash of the state. */
  public void addTo(ImageHash.Sum total, String name) {
    total.addFile(name, size, sum, attributes, severalNames());
  }

  private List<Path> severalNames() {
    return names.size() > 1 ? List.copyOf(names) : List.of();
  }

  PageSum sum() {
    return sum;
  }

  CachedPages cached() {
    return cached;
  }

  public long size() {
    return size;
  }

  public void setSize(long newSize) {
    size = newSize;
    frozen = null;
  }

  public PageBlock block(long page) {
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
  public ImageEntry.File freeze() {
    ImageEntry.File result = frozen;
    if (result == null) {
      result =
          new ImageEntry.File(
              size, attributes, pages.copy(), sum.copy(), base, LinesOver.NONE, severalNames());
      frozen = result;
    }
    return result;
  }
}
