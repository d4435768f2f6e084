// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.tree.Instruction;
import org.jspecify.annotations.Nullable;

/** What kind of fence an instruction is, or has the effect of. */
public enum FenceKind {
  SFENCE(1, Instruction.SFENCE),
  MFENCE(2, Instruction.MFENCE),
  LOCKED(3, Instruction.LOCKED);

  private static final FenceKind[] ALL = values();

  private final int code;
  private final Instruction instruction;

  FenceKind(int code, Instruction instruction) {
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

  public static @Nullable FenceKind ofCode(int code) {
    for (FenceKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
