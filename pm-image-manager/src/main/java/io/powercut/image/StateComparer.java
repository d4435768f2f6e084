// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.SparseFile;
import io.powercut.image.pages.PageBlock;
import io.powercut.image.pages.PageHashing;
import io.powercut.image.pages.PageMemory;
import io.powercut.image.pages.PageScan;
import io.powercut.image.pages.PageTable;
import io.powercut.image.pages.PmFile;
import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Compares files with the replayed ones, their contents by the hashes of their pages: only pages
 * that differ are read again.
 */
final class StateComparer {
  private static final int BYTES_SHOWN = 8;

  private final Path directory;
  private final PageMemory memory;
  private final List<StateComparison.Difference> differences = new ArrayList<>();
  private final List<StateComparison.AttributeDifference> attributes = new ArrayList<>();
  private final List<StateComparison.NameDifference> names = new ArrayList<>();
  private final List<StateComparison.Skipped> skipped = new ArrayList<>();

  /**
   * @param memory whose hashes are up to date
   */
  StateComparer(Path directory, PageMemory memory) {
    this.directory = directory;
    this.memory = memory;
  }

  /**
   * Compares one file, its attributes and its other names.
   *
   * @param number in the trace
   */
  void compare(Path name, int number, PmFile replayed) {
    Path path = directory.resolve(name);
    try (SparseFile real = SparseFile.openForReading(path)) {
      FileStatus status = real.status();
      compareAttributes(name, replayed);
      compareNames(name, status, replayed);
      long size = status.size();
      if (size != replayed.size()) {
        String what =
            "it has %d bytes, according to the record %d".formatted(size, replayed.size());
        add(name, number, Math.min(size, replayed.size()), what);
        return;
      }
      long page = firstDifferent(PageScan.scan(real, size), replayed);
      if (page >= 0) {
        compare(name, number, replayed, real, page);
      }
    } catch (IOException e) {
      skipped.add(new StateComparison.Skipped(name, String.valueOf(e.getMessage())));
    }
  }

  /** Compares what the trace has of a directory. */
  void compareAttributes(Path name, FileAttributes replayed) {
    Path path = directory.resolve(name);
    try {
      FileAttributes real = EntryAttributes.read(path);
      if (!real.equals(replayed)) {
        attributes.add(new StateComparison.AttributeDifference(name, real, replayed));
      }
    } catch (IOException e) {
      skipped.add(new StateComparison.Skipped(name, String.valueOf(e.getMessage())));
    }
  }

  /** A copy of the state before the run may lack owners and the like, but no permissions. */
  private void compareAttributes(Path name, PmFile replayed) throws IOException {
    FileAttributes real = EntryAttributes.read(directory.resolve(name));
    FileAttributes known = replayed.attributes();
    if (replayed.attributesTold()
        ? !real.equals(known)
        : real.permissions() != known.permissions()) {
      attributes.add(new StateComparison.AttributeDifference(name, real, known));
    }
  }

  /** Other names of the file must be names of this one. */
  private void compareNames(Path name, FileStatus status, PmFile replayed) throws IOException {
    for (Path other : replayed.names()) {
      Optional<FileStatus> found = FileStatus.ofLink(directory.resolve(other));
      if (found.isPresent() && found.get().inode() != status.inode()) {
        names.add(new StateComparison.NameDifference(name, other));
      }
    }
  }

  private void add(Path name, int number, long offset, String what) {
    differences.add(new StateComparison.Difference(name, number, offset, what));
  }

  /** The number of the page, -1 when there is none. */
  private static long firstDifferent(PageTable real, PmFile replayed) {
    long pages = PageHashing.pagesOf(replayed.size());
    for (long page = 0; page < pages; page++) {
      PageBlock found = real.blockOf(page);
      PageBlock known = replayed.block(page);
      int index = PageTable.indexInBlock(page);
      if (found == PageBlock.ZEROS && known == PageBlock.ZEROS) {
        page |= PageBlock.PAGES - 1;
      } else if (found.low(index) != known.low(index) || found.high(index) != known.high(index)) {
        return page;
      }
    }
    return -1;
  }

  private void compare(Path name, int number, PmFile replayed, SparseFile real, long page)
      throws IOException {
    ByteBuffer read = ByteBuffer.allocateDirect(PageHashing.PAGE);
    long start = page << PageHashing.PAGE_BITS;
    int length = real.read(read, 0, PageHashing.PAGE, start);
    byte[] known = new byte[PageHashing.PAGE];
    memory.read(replayed, start, known);
    byte[] found = new byte[PageHashing.PAGE];
    read.get(0, found, 0, length);
    for (int at = 0; at < length; at++) {
      if (found[at] != known[at]) {
        int end = Math.min(at + BYTES_SHOWN, length);
        HexFormat hex = HexFormat.of();
        add(
            name,
            number,
            start + at,
            "it holds %s, according to the record %s"
                .formatted(hex.formatHex(found, at, end), hex.formatHex(known, at, end)));
        return;
      }
    }
    skipped.add(new StateComparison.Skipped(name, "it changed while it was compared"));
  }

  StateComparison result() {
    return new StateComparison(differences, attributes, names, skipped);
  }
}
