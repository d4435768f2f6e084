package io.powercut.persistency.states;

import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import java.util.Arrays;
import java.util.BitSet;

/** Sizes of the PM files, and which of them a power cut leaves behind. */
final class TracedFiles {
  private final BitSet gone = new BitSet();
  private final BitSet named = new BitSet();
  private long[] sizes = new long[16];

  void define(TraceEvent.FileDefined defined) {
    int file = defined.file();
    if (file >= sizes.length) {
      sizes = Arrays.copyOf(sizes, Math.max(2 * sizes.length, file + 1));
    }
    sizes[file] = defined.size();
    gone.set(file, defined.state() == FileState.UNNAMED);
    named.set(file, defined.state().hasName());
  }

  /** In bytes; 0 for a file that was not defined. */
  long size(int file) {
    return file < sizes.length ? sizes[file] : 0;
  }

  void resize(int file, long size) {
    sizes[file] = size;
  }

  void name(int file) {
    named.set(file);
  }

  void lose(int file) {
    gone.set(file);
  }

  /** Whether nothing that is stored to the file can matter any more. */
  boolean isGone(int file) {
    return gone.get(file);
  }

  /** Those for which {@link #isFound} holds now. */
  BitSet found() {
    BitSet found = (BitSet) named.clone();
    found.andNot(gone);
    return found;
  }

  /** Whether a power cut now leaves the file where it can be found. */
  boolean isFound(int file) {
    return named.get(file) && !gone.get(file);
  }
}
