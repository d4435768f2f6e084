// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.io.IOException;

/** Receives failure points while a trace is read. */
@FunctionalInterface
public interface FailurePointListener {
  /**
   * A failure point was reached. All records before the ordinal were handed out already.
   *
   * @param ordinal of the record of the instruction before which it is
   * @param isNew whether it is the first time
   * @throws IOException when the listener cannot continue; ends the pass
   */
  void reached(long ordinal, CallStack stack, Instruction instruction, boolean isNew)
      throws IOException;
}
