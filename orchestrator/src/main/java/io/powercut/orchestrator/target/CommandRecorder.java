// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.process.CommandSpec;
import io.powercut.recorder.RecorderOptions;

/** Puts commands under the recorder. */
@FunctionalInterface
public interface CommandRecorder {
  /** The same command with the same bounds, recorded. */
  CommandSpec record(CommandSpec plain, RecorderOptions options);
}
