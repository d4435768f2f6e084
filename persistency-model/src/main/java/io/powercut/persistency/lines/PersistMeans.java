// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import java.util.HashSet;
import java.util.Set;

/**
 * What a program persists its files with, as far as a trace is read: instructions or system calls.
 */
public final class PersistMeans {
  private final Set<Integer> flushed = new HashSet<>();
  private final Set<Integer> synchronised = new HashSet<>();

  /** A flush of a file, or a store to it past the cache. */
  void flush(int file) {
    flushed.add(file);
  }

  /** A call that made some of a file durable. */
  void synchronise(int file) {
    synchronised.add(file);
  }

  /** Whether an instruction has persisted something, whatever it is. */
  boolean areInstructions() {
    return !flushed.isEmpty();
  }

  /** Whether nothing has persisted anything. */
  boolean areUnknown() {
    return flushed.isEmpty() && synchronised.isEmpty();
  }

  /**
   * Whether instructions are what persists a file: some have, or they persist other files, and no
   * system call persists this one.
   */
  public boolean areInstructionsFor(int file) {
    return flushed.contains(file) || (areInstructions() && !synchronised.contains(file));
  }
}
