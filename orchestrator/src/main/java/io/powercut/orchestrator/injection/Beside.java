// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.states.CrashStates;

/**
 * What a power cut may leave beside the program-order image.
 *
 * @param states all of which stores are lost
 * @param candidates those of them that are to be judged
 * @param losses what changes of metadata may be undone; closed by who takes it last
 */
record Beside(CrashStates states, Candidates candidates, MetadataLosses losses)
    implements AutoCloseable {
  /** Nothing. */
  static final Beside NOTHING = new Beside(CrashStates.NONE, Candidates.NONE, MetadataLosses.NONE);

  @Override
  public void close() {
    losses.close();
  }
}
