// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cache line: which threads used which of its bytes, and what may race there. */
final class TouchedLine {
  private static final int BYTES = 64;

  /** So many that are alike are compared with the first one. */
  private static final int LOOKED_AT = 16;

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

  /** The newest window that was over while its thread alone had used these bytes. */
  private @Nullable Window leftOut;

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

  /**
   * Bytes are new memory.
   *
   * @param stored those of them that a thread has stored already
   */
  void renew(long bytes, int thread, long stored) {
    touched &= ~bytes;
    shared &= ~bytes;
    leftOut = leftOut == null || (leftOut.bytes() & ~bytes) == 0 ? null : leftOut.without(bytes);
    if (owners != null) {
      for (long left = bytes; left != 0; left &= left - 1) {
        owners[Long.numberOfTrailingZeros(left)] = 0;
      }
    }
    if (stored != 0) {
      touch(thread, stored);
    }
  }

  /**
   * Takes bytes away from all loads, and from windows; how many fewer are kept then.
   *
   * @param stays windows that stay as they are
   */
  int forget(long bytes, Predicate<Window> stays) {
    int before = windows().size() + loads().size();
    List<Window> leftWindows = new ArrayList<>();
    for (Window one : windows()) {
      Window left = stays.test(one) ? one : one.without(bytes);
      if (left.bytes() != 0) {
        leftWindows.add(left);
      }
    }
    List<Load> leftLoads = new ArrayList<>();
    for (Load one : loads()) {
      if ((one.bytes() & ~bytes) != 0) {
        leftLoads.add(new Load(one.access(), one.bytes() & ~bytes));
      }
    }
    windows = leftWindows.isEmpty() ? null : leftWindows;
    loads = leftLoads.isEmpty() ? null : leftLoads;
    return before - leftWindows.size() - leftLoads.size();
  }

  /** The bytes that have been used by the only thread so far. */
  long touched() {
    return touched;
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

  /** A window is over that is left out as initialisation. */
  void leaveOut(Window window) {
    leftOut = window;
  }

  /** The newest one that was left out. */
  @Nullable Window leftOut() {
    return leftOut;
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

  /**
   * Keeps a window, and not one that it replaces; how many more are kept now.
   *
   * @param mayReplace whether it may replace any
   * @param many {@linkplain #thin locks that nobody holds at once}
   */
  int keep(Window window, boolean mayReplace, int many) {
    windows = windows == null ? new ArrayList<>(1) : windows;
    int before = windows.size();
    if (mayReplace) {
      windows.removeIf(window::replaces);
    }
    windows.add(window);
    if (mayReplace && windows.size() > before) {
      thin(windows, window::isLike, Window::locks, many);
    }
    return windows.size() - before;
  }

  /**
   * Keeps a load instead of one that it replaces; how many more are kept now.
   *
   * @param many {@linkplain #thin locks that nobody holds at once}
   */
  int keep(Load load, int many) {
    loads = loads == null ? new ArrayList<>(1) : loads;
    int before = loads.size();
    loads.removeIf(load::replaces);
    loads.add(load);
    if (loads.size() > before) {
      thin(loads, load::isLike, Load::locks, many);
    }
    return loads.size() - before;
  }

  /**
   * Drops the first of those that differ in their locks alone, if whatever races with it races with
   * a later one, too.
   *
   * @param many so many locks nobody holds at once
   */
  private static <T> void thin(
      List<T> all, Predicate<T> isLike, Function<T, ImmutableList<HeldLock>> locks, int many) {
    List<T> alike = all.stream().filter(isLike).toList();
    if (alike.size() <= many) {
      return;
    }
    int first = Math.max(1, alike.size() - LOOKED_AT);
    List<ImmutableList<HeldLock>> later = alike.stream().skip(first).map(locks).toList();
    if (HeldLock.standFor(locks.apply(alike.get(0)), later, many)) {
      all.remove(alike.get(0));
    }
  }

  /** Whether the load, or one that it may replace, is kept. */
  boolean hasLike(Load load) {
    for (Load one : loads()) {
      if (load.replaces(one)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the window, or one that it may replace, is kept. */
  boolean hasLike(Window window) {
    for (Window one : windows()) {
      if (window.replaces(one)) {
        return true;
      }
    }
    return false;
  }
}
