// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.Optional;

/** Recovery that runs on a crash image and can be cut at its failure points. */
public interface CutRecovery {
  /**
   * A point of recovery at which it can be cut.
   *
   * @param step the recovery step's name
   * @param stack recovery's call stack
   * @param instruction in front of which it is
   */
  record Point(String step, CallStack stack, Instruction instruction) {}

  /** Chooses what is cut, and takes what that leaves. */
  interface Cuts {
    /**
     * Whether the image here is wanted. Recovery is running.
     *
     * @param state holds what the image would
     */
    boolean wants(Point point, PmState state) throws IOException;

    /** Takes a wanted image, which is closed afterwards. The recovery step is over. */
    void take(Point point, CrashImage image) throws IOException;
  }

  /**
   * Runs recovery up to the last step that is to be cut.
   *
   * @return why it could not be recorded to its end; what was taken before is good
   * @throws BudgetSpentException if the time was spent before
   */
  Optional<String> follow(JudgedImages images, Cuts cuts) throws IOException;
}
