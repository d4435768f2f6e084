// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.recorder.RecorderOptions;

/** What is recorded: the campaign's target, under the recorder. */
public interface Target {
  /** Runs it once, to its end or to where the recorder stops it. */
  TargetOutcome run(Execution execution, RecorderOptions options);

  /** Kills what another thread runs. */
  void abort();
}
