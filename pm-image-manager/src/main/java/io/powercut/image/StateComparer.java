package io.powercut.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Compares files with the replayed ones, by the hashes of their pages: only pages that differ are
 * read again.
 */
final class StateComparer {
  private static final int BYTES_SHOWN = 8;

  private final Path directory;
  private final PageMemory memory;
  private final List<StateComparison.Difference> differences = new ArrayList<>();
  private final List<StateComparison.Skipped> skipped = new ArrayList<>();

  /**
   * @param memory whose hashes are up to date
   */
  StateComparer(Path directory, PageMemory memory) {
    this.directory = directory;
    this.memory = memory;
  }

  /**
   * Compares one file.
   *
   * @param number in the trace
   */
  void compare(Path name, int number, PmFile replayed) {
    Path path = directory.resolve(name);
    try (SparseFile real = SparseFile.openForReading(path)) {
      long size = real.status().size();
      if (size != replayed.size()) {
        String what = "it has %d bytes, by the record %d".formatted(size, replayed.size());
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
            "it holds %s, by the record %s"
                .formatted(hex.formatHex(found, at, end), hex.formatHex(known, at, end)));
        return;
      }
    }
    skipped.add(new StateComparison.Skipped(name, "it changed while it was compared"));
  }

  StateComparison result() {
    return new StateComparison(differences, skipped);
  }
}
