// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.tree.FailurePoint;
import java.util.Optional;

/** What a replay shows again: where the power is cut, and what is left. */
public sealed interface ReplayedCut {
  /** In front of whose instruction. */
  FailurePoint point();

  /** At which occurrence of it. */
  Occurrence occurrence();

  /**
   * What recovery made of it in the run; nothing if that is not known, as of an occurrence that was
   * not judged.
   */
  Optional<Judgement> judged();

  /** The recovery step that decided; empty when that is not known. */
  String step();

  /** What a replay has to reach again, in words. */
  String goal();

  /** The crash state, if one beyond program order is left. */
  Optional<JudgedState> state();

  /** Which changes of names and sizes are undone, if some are. */
  default Optional<LostMetadata> lostMetadata() {
    return Optional.empty();
  }

  /** Where the power is cut again, if it is. */
  Optional<RecoveryCrash> again();

  /** What a visitor makes of it. */
  <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X;

  /**
   * Makes something of each kind.
   *
   * @param <R> what it makes
   * @param <X> what can go wrong
   */
  interface Visitor<R, X extends Exception> {
    /** Visits an {@link InProgramOrder}. */
    R visit(InProgramOrder cut) throws X;

    /** Visits an {@link InState}. */
    R visit(InState cut) throws X;

    /** Visits an {@link InRecovery}. */
    R visit(InRecovery cut) throws X;
  }

  /** Every store before the instruction is left. */
  record InProgramOrder(FailurePoint point, Occurrence occurrence, Optional<Judgement> judged)
      implements ReplayedCut {
    @Override
    public String step() {
      return judged.map(Judgement::step).orElse("");
    }

    @Override
    public String goal() {
      return "the failure point";
    }

    @Override
    public Optional<JudgedState> state() {
      return Optional.empty();
    }

    @Override
    public Optional<RecoveryCrash> again() {
      return Optional.empty();
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /**
   * A crash state beyond program order is left.
   *
   * @param found with the state; it may be of another occurrence
   */
  record InState(FailurePoint point, Occurrence occurrence, Judgement found)
      implements ReplayedCut {
    @Override
    public Optional<Judgement> judged() {
      return Optional.of(found).filter(one -> one.occurrence() == occurrence.number());
    }

    @Override
    public String step() {
      return found.step();
    }

    @Override
    public String goal() {
      return "the failure point with this state";
    }

    @Override
    public Optional<JudgedState> state() {
      return found.state();
    }

    @Override
    public Optional<LostMetadata> lostMetadata() {
      return found.lostMetadata();
    }

    @Override
    public Optional<RecoveryCrash> again() {
      return Optional.empty();
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** Recovery is cut as well; the state, if there is one, is what that leaves. */
  record InRecovery(FailurePoint point, Occurrence occurrence, RecoveryCrashFinding found)
      implements ReplayedCut {
    @Override
    public Optional<Judgement> judged() {
      return Optional.of(found.judgement());
    }

    @Override
    public String step() {
      return found.judgement().step();
    }

    @Override
    public String goal() {
      return "the failure point in recovery" + (state().isPresent() ? " with this state" : "");
    }

    @Override
    public Optional<JudgedState> state() {
      return found.judgement().state();
    }

    @Override
    public Optional<RecoveryCrash> again() {
      return Optional.of(found.cut());
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }
}
