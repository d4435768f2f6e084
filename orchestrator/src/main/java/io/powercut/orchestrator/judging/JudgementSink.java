// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.report.evidence.Judgement;

/** Takes verdicts as they come, from several threads. */
@FunctionalInterface
public interface JudgementSink {
  /** An occurrence of a failure point was judged. */
  void accept(Judgement judgement);
}
