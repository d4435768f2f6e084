// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all results, for a look at them. */
public final class KeptResults implements ResultListener {
  private final List<Judgement> judged = new CopyOnWriteArrayList<>();
  private final List<StateVerdicts> explored = new CopyOnWriteArrayList<>();
  private final List<RecoveryCrashVerdicts> cuts = new CopyOnWriteArrayList<>();

  @Override
  public void judged(Judgement judgement) {
    judged.add(judgement);
  }

  @Override
  public void explored(StateVerdicts verdicts) {
    explored.add(verdicts);
  }

  @Override
  public void cut(RecoveryCrashVerdicts verdicts) {
    cuts.add(verdicts);
  }

  /** The verdicts on images of program order. */
  public List<Judgement> judged() {
    return judged;
  }

  /** The verdicts on crash states. */
  public List<StateVerdicts> explored() {
    return explored;
  }

  /** The verdicts on crashes during recovery. */
  public List<RecoveryCrashVerdicts> cuts() {
    return cuts;
  }
}
