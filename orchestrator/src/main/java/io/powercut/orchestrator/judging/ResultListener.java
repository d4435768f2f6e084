// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;

/**
 * Takes the results of a run as they come, from several threads. The class that starts the work
 * owns it.
 */
@FunctionalInterface
public interface ResultListener {
  /** An occurrence of a failure point was judged in program order. */
  void judged(Judgement judgement);

  /** Crash states were judged at an occurrence, or it is known now what there is to judge. */
  default void explored(StateVerdicts verdicts) {}

  /** Recovery was cut on an image. */
  default void cut(RecoveryCrashVerdicts verdicts) {}
}
