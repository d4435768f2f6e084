// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.states.CrashState;
import java.util.List;

/**
 * What is to blame for a crash state that recovery cannot cope with.
 *
 * @param state the state with the fewest losses that shows it
 * @param lost the stores that have to be lost; in each line the first of them, since those behind
 *     it in the line are lost with it. The one to look at first in front: a cause, or else the
 *     earliest whose restoration alone repairs the state
 * @param causes those of them that are proved to be a cause: recovery fails when one of them alone
 *     is lost, or with either of two later ones that it protects, or while a later one that it
 *     protects is torn, and succeeds on the state when that one alone is restored
 * @param arrived the stores that are not guaranteed either and have to persist nevertheless, that
 *     is, before the lost ones; in front one to another line that was stored later than the first
 *     lost store, else one in its line, else the latest; none when it is enough that the others are
 *     lost
 * @param whole what the first lost store has to persist as one with
 * @param isSmallest whether the search came to its end; else some of this may be left out
 */
public record Culprit(
    CrashState state,
    List<BlamedStore> lost,
    List<BlamedStore> causes,
    List<BlamedStore> arrived,
    Whole whole,
    boolean isSmallest) {
  /** With what a store has to persist as one. */
  public enum Whole {
    /** Recovery does not need that. */
    NOTHING,
    /**
     * With its own other parts: recovery succeeds with all of it, and without any of it while the
     * other lost stores stay lost.
     */
    ITS_PARTS,
    /** With the first arrived store: recovery fails without either, and succeeds without both. */
    ANOTHER_STORE
  }

  /** Copies the lists. */
  public Culprit {
    lost = List.copyOf(lost);
    causes = List.copyOf(causes);
    arrived = List.copyOf(arrived);
  }

  /** The same, with a store that has to persist beside the lost ones. */
  public Culprit with(BlamedStore first) {
    return new Culprit(state, lost, causes, List.of(first), whole, isSmallest);
  }

  /** The same, with what the first lost store has to persist as one with. */
  Culprit with(Whole one) {
    return new Culprit(state, lost, causes, arrived, one, isSmallest);
  }

  /** The same, with a store that has to persist as one with the first lost one. */
  public Culprit asOneWith(BlamedStore other) {
    return new Culprit(state, lost, causes, List.of(other), Whole.ANOTHER_STORE, isSmallest);
  }

  /** The same where it is enough that the lost stores are lost. */
  public Culprit withoutArrived() {
    return new Culprit(state, lost, causes, List.of(), Whole.NOTHING, isSmallest);
  }

  /** The same without what was stored before some place of the trace and persisted. */
  public Culprit withoutArrivedBefore(long ordinal) {
    List<BlamedStore> later =
        arrived.stream().filter(store -> store.store().ordinal() >= ordinal).toList();
    return new Culprit(state, lost, causes, later, whole, isSmallest);
  }

  /** Whether a lost store is proved to be a cause. */
  public boolean isCause(BlamedStore store) {
    return causes.contains(store);
  }

  /** Whether the first lost store has to persist as one with something else. */
  public boolean isAtomicity() {
    return whole != Whole.NOTHING;
  }

  /** Whether that is one store, of which a part persisted. */
  public boolean isTorn() {
    return whole == Whole.ITS_PARTS;
  }
}
