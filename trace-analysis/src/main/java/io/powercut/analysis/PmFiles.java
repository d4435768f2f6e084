package io.powercut.analysis;

import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import java.util.Arrays;
import java.util.BitSet;

/** Sizes of the PM files, and which of them a power cut leaves behind. */
final class PmFiles {
  /** Whatever is stored to these is lost with them. */
  private final BitSet gone = new BitSet();

  private final BitSet unnamed = new BitSet();
  private long[] sizes = new long[16];
  private int count = 1;

  void define(TraceEvent.FileDefined defined) {
    int file = defined.file();
    if (file >= sizes.length) {
      sizes = Arrays.copyOf(sizes, Math.max(2 * sizes.length, file + 1));
    }
    count = Math.max(count, file + 1);
    sizes[file] = defined.size();
    gone.set(file, defined.state() == FileState.UNNAMED);
    unnamed.set(file, !defined.state().hasName());
  }

  /** One more than the highest number of a file. */
  int count() {
    return count;
  }

  /** In bytes. */
  long size(int file) {
    return file < sizes.length ? sizes[file] : 0;
  }

  void resize(int file, long size) {
    sizes[file] = size;
  }

  void name(int file) {
    unnamed.clear(file);
  }

  void lose(int file) {
    gone.set(file);
  }

  /** Whether nothing in the file can matter any more. */
  boolean isGone(int file) {
    return gone.get(file);
  }

  /** Whether a power cut now would leave the file where it can be found. */
  boolean isFound(int file) {
    return !gone.get(file) && !unnamed.get(file);
  }
}
