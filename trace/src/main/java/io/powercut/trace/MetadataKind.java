// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.tree.Instruction;
import org.jspecify.annotations.Nullable;

/** What a system call changes, other than the content of files. */
public enum MetadataKind {
  /** {@code open} that creates a file, {@code mkdir}, {@code mknod}, {@code symlink}. */
  CREATE(1, Instruction.CREATE),
  RENAME(2, Instruction.RENAME),
  LINK(3, Instruction.LINK),
  /** {@code unlink}, {@code rmdir}. */
  UNLINK(4, Instruction.UNLINK),
  /** {@code truncate}, {@code ftruncate}, {@code fallocate}, {@code open} that truncates. */
  RESIZE(5, Instruction.RESIZE);

  private static final MetadataKind[] ALL = values();

  private final int code;
  private final Instruction instruction;

  MetadataKind(int code, Instruction instruction) {
    this.code = code;
    this.instruction = instruction;
  }

  /** The same in the words of the failure-point tree. */
  public Instruction instruction() {
    return instruction;
  }

  /** The number in the trace. */
  public int code() {
    return code;
  }

  public static @Nullable MetadataKind ofCode(int code) {
    for (MetadataKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
