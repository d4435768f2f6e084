package io.powercut.orchestrator.run;

import io.powercut.orchestrator.report.Judgement;

/** Takes verdicts as they come, from several threads. */
@FunctionalInterface
interface JudgementSink {
  /** A visit of a failure point was judged. */
  void accept(Judgement judgement);
}
