// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.ranges;

import io.powercut.trace.Location;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Sizes of the PM files, and which of them a power cut leaves behind. */
public final class PmFiles {
  private final BitSet gone = new BitSet();
  private final BitSet named = new BitSet();
  private long[] sizes = new long[16];
  private int count = 1;

  public void define(TraceEvent.FileDefined defined) {
    int file = defined.file();
    if (file >= sizes.length) {
      sizes = Arrays.copyOf(sizes, Math.max(2 * sizes.length, file + 1));
    }
    count = Math.max(count, file + 1);
    sizes[file] = defined.size();
    gone.set(file, defined.state() == FileState.UNNAMED);
    named.set(file, defined.state().hasName());
  }

  /** In bytes; 0 for a file that was not defined. */
  public long size(int file) {
    return file < sizes.length ? sizes[file] : 0;
  }

  public void resize(int file, long size) {
    sizes[file] = size;
  }

  public void name(int file) {
    named.set(file);
  }

  public void lose(int file) {
    gone.set(file);
  }

  /** Whether nothing that is stored to the file can matter any more. */
  public boolean isGone(int file) {
    return gone.get(file);
  }

  /** Those for which {@link #isFound} holds now. */
  public BitSet found() {
    BitSet found = (BitSet) named.clone();
    found.andNot(gone);
    return found;
  }

  /** Whether a power cut now leaves the file where it can be found. */
  public boolean isFound(int file) {
    return named.get(file) && !gone.get(file);
  }

  /**
   * What a synchronisation is about: lines of one file, or of all for {@code sync}. A length of 0
   * means up to the end of the file. What is mapped is synchronised in pages. None for a directory,
   * or when the range is empty.
   */
  public List<LineRange> ranges(TraceEvent.Sync sync) {
    return switch (sync.kind()) {
      case SYNC -> all();
      case DIRECTORY -> List.of();
      case MSYNC, MSYNC_ASYNC -> range(sync, LineRange.PAGE);
      case FSYNC, FDATASYNC, SYNC_FILE_RANGE -> range(sync, 1);
    };
  }

  private List<LineRange> all() {
    List<LineRange> all = new ArrayList<>();
    for (int file = 1; file < count; file++) {
      if (sizes[file] > 0) {
        all.add(LineRange.of(file, 0, sizes[file]));
      }
    }
    return all;
  }

  private List<LineRange> range(TraceEvent.Sync sync, int grain) {
    int file = Location.file(sync.location());
    long from = Location.offset(sync.location());
    long to = sync.length() == 0 ? size(file) : from + sync.length();
    long end = (to + grain - 1) / grain * grain;
    return file == 0 || LineRange.isEmpty(from, end)
        ? List.of()
        : List.of(LineRange.of(file, from, end));
  }
}
