package io.powercut.instrumentation.trace;

import io.powercut.tree.Instruction;
import org.jspecify.annotations.Nullable;

/** Which system call makes file contents durable. */
public enum SyncKind {
  MSYNC(1, Instruction.MSYNC),
  MSYNC_ASYNC(2, Instruction.MSYNC_ASYNC),
  FSYNC(3, Instruction.FSYNC),
  FDATASYNC(4, Instruction.FDATASYNC),
  SYNC_FILE_RANGE(5, Instruction.SYNC_FILE_RANGE),
  SYNC(6, Instruction.SYNC);

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

  /** The number in the trace. */
  int code() {
    return code;
  }

  static @Nullable SyncKind ofCode(int code) {
    for (SyncKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
