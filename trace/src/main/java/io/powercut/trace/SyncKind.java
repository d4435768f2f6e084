// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.tree.Instruction;
import org.jspecify.annotations.Nullable;

/** Which system call makes files durable. */
public enum SyncKind {
  MSYNC(1, Instruction.MSYNC),
  MSYNC_ASYNC(2, Instruction.MSYNC_ASYNC),
  FSYNC(3, Instruction.FSYNC),
  FDATASYNC(4, Instruction.FDATASYNC),
  SYNC_FILE_RANGE(5, Instruction.SYNC_FILE_RANGE),
  SYNC(6, Instruction.SYNC),
  /** {@code fsync} of a directory: it persists names, and no contents. */
  DIRECTORY(7, Instruction.FSYNC);

  private static final SyncKind[] ALL = values();

  private final int code;
  private final Instruction instruction;

  SyncKind(int code, Instruction instruction) {
    this.code = code;
    this.instruction = instruction;
  }

  /** The same in the words of the failure-point tree. */
  public Instruction instruction() {
    return instruction;
  }

  /**
   * Whether a call of this kind that succeeds makes contents durable. Linux does nothing at all for
   * {@code msync(MS_ASYNC)}, and {@code sync_file_range} writes out page-cache pages but no
   * metadata and no disk cache.
   */
  public boolean isGuarantee() {
    return switch (this) {
      case MSYNC, FSYNC, FDATASYNC, SYNC -> true;
      case MSYNC_ASYNC, SYNC_FILE_RANGE, DIRECTORY -> false;
    };
  }

  /**
   * Whether a call of this kind that succeeds makes durable what was done to names and sizes before
   * it, of any file: file systems with a journal persist that in its order.
   */
  public boolean persistsMetadata() {
    return isGuarantee() || this == DIRECTORY;
  }

  /** The number in the trace. */
  public int code() {
    return code;
  }

  public static @Nullable SyncKind ofCode(int code) {
    for (SyncKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
