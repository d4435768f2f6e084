// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cache line: which threads used which of its bytes, and what may race there. */
final class TouchedLine {
  private static final int BYTES = 64;

  private int owner;
  private long touched;
  private long shared;

  /**
   * By byte, the thread that used it first; while there are none, it is {@link #owner}. The numbers
   * of threads have 16 bits.
   */
  private char @Nullable [] owners;

  private @Nullable List<Window> windows;
  private @Nullable List<Load> loads;
  private @Nullable List<OpenWindow> open;

  /** A thread uses bytes. */
  void touch(int thread, long bytes) {
    if (owners == null) {
      owner = touched == 0 ? thread : owner;
      if (owner == thread) {
        touched |= bytes;
        return;
      }
      owners = new char[BYTES];
      for (int index = 0; index < BYTES; index++) {
        owners[index] = (touched >>> index & 1) == 0 ? 0 : (char) owner;
      }
    }
    for (long left = bytes & ~shared; left != 0; left &= left - 1) {
      int index = Long.numberOfTrailingZeros(left);
      if (owners[index] == 0) {
        owners[index] = (char) thread;
      } else if (owners[index] != thread) {
        shared |= 1L << index;
      }
    }
  }

  /** The bytes that several threads have used. */
  long shared() {
    return shared;
  }

  /** Those that were kept. */
  List<Window> windows() {
    return windows == null ? List.of() : windows;
  }

  /** Those that were kept. */
  List<Load> loads() {
    return loads == null ? List.of() : loads;
  }

  /** Stores in flight. */
  List<OpenWindow> open() {
    return open == null ? List.of() : open;
  }

  /** The store in flight that began with that record. */
  @Nullable OpenWindow open(long store) {
    List<OpenWindow> all = open();
    for (int index = all.size() - 1; index >= 0; index--) {
      if (all.get(index).store().ordinal() == store) {
        return all.get(index);
      }
    }
    return null;
  }

  void add(OpenWindow window) {
    open = open == null ? new ArrayList<>(1) : open;
    open.add(window);
  }

  void remove(OpenWindow window) {
    if (open != null) {
      open.remove(window);
      open = open.isEmpty() ? null : open;
    }
  }

  /** Keeps a window instead of one that it replaces; how many more are kept now. */
  int keep(Window window) {
    windows = windows == null ? new ArrayList<>(1) : windows;
    boolean replaces = windows.removeIf(window::replaces);
    windows.add(window);
    return replaces ? 0 : 1;
  }

  /** Keeps a load instead of one that it replaces; how many more are kept now. */
  int keep(Load load) {
    loads = loads == null ? new ArrayList<>(1) : loads;
    boolean replaces = loads.removeIf(load::replaces);
    loads.add(load);
    return replaces ? 0 : 1;
  }

  /** Whether the load, or one that it may replace, is kept. */
  boolean hasLike(Load load) {
    return loads().stream().anyMatch(load::replaces);
  }

  /** Whether the window, or one that it may replace, is kept. */
  boolean hasLike(Window window) {
    return windows().stream().anyMatch(window::replaces);
  }
}
