package io.powercut.orchestrator.run;

import io.powercut.orchestrator.report.Judgement;
import io.powercut.tree.FailurePointId;

/** Takes verdicts as they come, from several threads. */
@FunctionalInterface
interface JudgementSink {
  /** A failure point was judged. */
  void accept(FailurePointId id, Judgement judgement);
}
