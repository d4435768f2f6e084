// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.tree.FailurePoint;
import java.util.Optional;

/** What a replay shows again: where the power is cut, and what is left. */
public sealed interface ReplayedCut {
  /** In front of whose instruction. */
  FailurePoint point();

  /** At which occurrence of it. */
  Occurrence visit();

  /**
   * What recovery made of it in the run; nothing if that is not known, as of an occurrence that was
   * not judged.
   */
  Optional<Judgement> judged();

  /** The recovery step that decided; empty when that is not known. */
  String step();

  /** Every store before the instruction is left. */
  record InProgramOrder(FailurePoint point, Occurrence visit, Optional<Judgement> judged)
      implements ReplayedCut {
    @Override
    public String step() {
      return judged.map(Judgement::step).orElse("");
    }
  }

  /**
   * A crash state beyond program order is left.
   *
   * @param found with the state; it may be of another occurrence
   */
  record InState(FailurePoint point, Occurrence visit, Judgement found) implements ReplayedCut {
    @Override
    public Optional<Judgement> judged() {
      return Optional.of(found).filter(one -> one.visit() == visit.number());
    }

    @Override
    public String step() {
      return found.step();
    }
  }

  /** Recovery is cut as well, and what that leaves is left. */
  record InRecovery(FailurePoint point, Occurrence visit, RecoveryCrashFinding found)
      implements ReplayedCut {
    @Override
    public Optional<Judgement> judged() {
      return Optional.of(found.judgement());
    }

    @Override
    public String step() {
      return found.judgement().step();
    }
  }
}
