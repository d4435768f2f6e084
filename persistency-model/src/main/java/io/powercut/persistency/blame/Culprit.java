// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.states.CrashState;
import java.util.List;

/**
 * What is to blame for a crash state that recovery cannot cope with.
 *
 * @param state the state with the fewest losses that shows it
 * @param lost the stores that have to be lost; in each line the first of them, since those behind
 *     it in the line are lost with it. The one to look at first in front: a cause, or else one
 *     whose restoration alone repairs the state
 * @param causes those of them that are proved to be a cause: recovery fails when one of them alone
 *     is lost, and copes with the state when that one alone is restored
 * @param arrived the stores that are not guaranteed either and have to persist nevertheless, that
 *     is, before the lost ones; one in the line of the first lost store in front, else the latest;
 *     none when it is enough that the others are lost
 * @param isAtomicity whether the first lost store has to persist as one with something else: with
 *     its own other part, or with the first arrived store, since recovery fails without either of
 *     them and copes without both
 * @param isSmallest whether the search came to its end; else some of this may be left out
 */
public record Culprit(
    CrashState state,
    List<BlamedStore> lost,
    List<BlamedStore> causes,
    List<BlamedStore> arrived,
    boolean isAtomicity,
    boolean isSmallest) {
  /** Copies the lists. */
  public Culprit {
    lost = List.copyOf(lost);
    causes = List.copyOf(causes);
    arrived = List.copyOf(arrived);
  }

  /** The same, with a store that has to persist beside the lost ones. */
  public Culprit with(BlamedStore first) {
    return new Culprit(state, lost, causes, List.of(first), isAtomicity, isSmallest);
  }

  /** Whether a lost store is proved to be a cause. */
  public boolean isCause(BlamedStore store) {
    return causes.contains(store);
  }

  /** Whether of the first lost store a part persisted, in its line or in another. */
  public boolean isTorn() {
    return lost.get(0).isTorn()
        || arrived.stream()
            .anyMatch(store -> store.store().ordinal() == lost.get(0).store().ordinal());
  }
}
