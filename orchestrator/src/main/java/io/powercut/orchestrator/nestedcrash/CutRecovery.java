// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.orchestrator.code.StoringFunctions;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.CutPlace;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Recovery that runs on a crash image and can be cut at its failure points. */
public interface CutRecovery {
  /**
   * A point of recovery at which it can be cut.
   *
   * @param step the recovery step's name
   * @param stack recovery's call stack
   * @param instruction in front of which it is
   * @param occurrence which occurrence of that stack it is in the step, from 1
   */
  record Point(String step, CallStack stack, Instruction instruction, long occurrence) {
    /** As logs name it. */
    public CutPlace place() {
      return new CutPlace(stack.id(), occurrence);
    }
  }

  /**
   * What a cut leaves.
   *
   * @param image in program order
   * @param states what else may be left
   * @param recent what happened last before it, the oldest first
   * @param numbers what the trace of the step says of its code
   */
  record Left(CrashImage image, CrashStates states, List<Happening> recent, Numbers numbers) {}

  /**
   * What a trace says of code. It is whole when the step is over.
   *
   * @param tables what the numbers of stores mean
   * @param storing the functions that store
   */
  record Numbers(TraceTables tables, StoringFunctions storing) {
    /** Of a trace that these tables get as well. */
    public static Numbers of(TraceTables tables) {
      return new Numbers(tables, new StoringFunctions(tables));
    }
  }

  /** Chooses what is cut, and takes what that leaves. */
  interface Cuts {
    /**
     * Whether what a cut leaves here is wanted. Recovery is running.
     *
     * @param state holds what the image would
     * @param states what else may be left
     */
    boolean wants(Point point, PmState state, Supplier<CrashStates> states) throws IOException;

    /**
     * Takes what is wanted, in the order of recovery. The step is over; images are closed when all
     * of it are taken.
     */
    void take(Point point, Left left) throws IOException;
  }

  /**
   * Runs recovery up to the last step that is to be cut.
   *
   * @return why it could not be recorded to its end; what was taken before is good
   * @throws BudgetSpentException if the time was spent before
   */
  Optional<String> follow(JudgedImages images, Cuts cuts) throws IOException;
}
