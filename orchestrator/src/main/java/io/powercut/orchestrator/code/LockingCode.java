// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.Instruction;
import java.util.regex.Pattern;

/**
 * Tells failure points at which a thread only takes or gives back a lock of the C library. A locked
 * instruction is a fence, so they are failure points like others; but where a lock is taken says
 * nothing of what the program persists, and a server with threads has a great many.
 */
public final class LockingCode {
  /** Also the names behind the public ones, which static programs have. */
  private static final Pattern FUNCTIONS =
      Pattern.compile(
          "_*(?:GI_+)?(?:pthread_(?:mutex|rwlock|cond|spin|barrier)|lll_|sem_)\\w*(?:@.*)?");

  private LockingCode() {}

  /** Whether a failure point is an instruction of such a lock. */
  public static boolean contains(CallStack stack, Instruction instruction) {
    if (instruction != Instruction.LOCKED) {
      return false;
    }
    for (Frame frame : stack.frames()) {
      if (!frame.module().equals(stack.innermost().module())) {
        return false;
      }
      if (!frame.function().isEmpty()) { // A library without symbols names what it exports.
        return frame.positions().stream()
            .anyMatch(position -> FUNCTIONS.matcher(position.function()).matches());
      }
    }
    return false;
  }
}
