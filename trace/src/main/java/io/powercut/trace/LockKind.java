// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import org.jspecify.annotations.Nullable;

/** What threads synchronise by. */
public enum LockKind {
  MUTEX(1),
  /** Also by several threads at once, that share it. */
  READER_WRITER_LOCK(2),
  SPIN_LOCK(3),
  CONDITION_VARIABLE(4),
  BARRIER(5),
  SEMAPHORE(6),
  /** {@code pthread_once}. */
  ONCE(7),
  /** A lock of the target's own making. */
  OWN_LOCK(8),
  /** A word that was compared and swapped, or exchanged. */
  ATOMIC_WORD(9),
  /** A lock or a critical section of OpenMP. */
  OPENMP_LOCK(10),
  /** Of {@code flock}, {@code fcntl} or {@code lockf}. */
  FILE_LOCK(11),
  /** What is read from it was written before. */
  PIPE(12);

  private static final LockKind[] ALL = values();

  private final int code;

  LockKind(int code) {
    this.code = code;
  }

  /**
   * Whether a thread holds it from acquire to release. By the others, a release by one thread comes
   * before the acquire of another, and nothing is held.
   */
  public boolean isHeld() {
    return switch (this) {
      case MUTEX, READER_WRITER_LOCK, SPIN_LOCK, OWN_LOCK, ATOMIC_WORD, OPENMP_LOCK, FILE_LOCK ->
          true;
      case CONDITION_VARIABLE, BARRIER, SEMAPHORE, ONCE, PIPE -> false;
    };
  }

  /** The number in the trace. */
  public int code() {
    return code;
  }

  public static @Nullable LockKind ofCode(int code) {
    for (LockKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
