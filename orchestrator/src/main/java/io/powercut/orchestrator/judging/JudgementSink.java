package io.powercut.orchestrator.judging;

import io.powercut.report.evidence.Judgement;

/** Takes verdicts as they come, from several threads. */
@FunctionalInterface
public interface JudgementSink {
  /** A visit of a failure point was judged. */
  void accept(Judgement judgement);
}
