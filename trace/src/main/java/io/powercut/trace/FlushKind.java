// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.tree.Instruction;
import org.jspecify.annotations.Nullable;

/** What kind of cache-line flush an instruction is. */
public enum FlushKind {
  CLFLUSH(1, Instruction.CLFLUSH),
  CLFLUSHOPT(2, Instruction.CLFLUSHOPT),
  CLWB(3, Instruction.CLWB);

  private static final FlushKind[] ALL = values();

  private final int code;
  private final Instruction instruction;

  FlushKind(int code, Instruction instruction) {
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

  public static @Nullable FlushKind ofCode(int code) {
    for (FlushKind kind : ALL) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
