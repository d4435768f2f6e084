package io.powercut.orchestrator.states;

import io.powercut.persistency.states.CrashState;
import java.util.List;

/**
 * What is to blame for a crash state that recovery cannot cope with.
 *
 * @param state the state with the fewest losses that shows it
 * @param lost the stores that have to be lost; in each line the first of them, since those behind
 *     it in the line are lost with it
 * @param arrived the stores that are not guaranteed either and have to persist nevertheless, that
 *     is, before the lost ones; none when it is enough that the others are lost
 * @param isSmallest whether the search came to its end; else some of this may be left out
 */
public record Culprit(
    CrashState state, List<BlamedStore> lost, List<BlamedStore> arrived, boolean isSmallest) {
  /** Copies the lists. */
  public Culprit {
    lost = List.copyOf(lost);
    arrived = List.copyOf(arrived);
  }
}
