// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Passes results on with their places in the trace. */
final class PlacesInTrace implements ResultListener {
  private final ResultListener next;
  private final Map<Occurrence, Long> ordinals = new ConcurrentHashMap<>();

  PlacesInTrace(ResultListener next) {
    this.next = next;
  }

  /** An occurrence is reached at a record, counted from 0. */
  void reached(Occurrence occurrence, long ordinal) {
    ordinals.put(occurrence, ordinal);
  }

  @Override
  public void judged(Judgement judgement) {
    next.judged(placed(judgement));
  }

  @Override
  public void explored(StateVerdicts found) {
    next.explored(found.withFindings(found.findings().stream().map(this::placed).toList()));
  }

  @Override
  public void cut(RecoveryCrashVerdicts found) {
    next.cut(found);
  }

  private Judgement placed(Judgement judgement) {
    return Optional.ofNullable(ordinals.get(judgement.cut())).map(judgement::at).orElse(judgement);
  }
}
