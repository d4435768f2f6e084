// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.process.CommandSpec;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;

/** Puts commands under the recorder. */
@FunctionalInterface
public interface CommandRecorder {
  /** The same command with the same bounds, recorded. */
  CommandSpec record(CommandSpec plain, RecorderOptions options);

  /**
   * A command that is not recorded, and deals with one that is while that runs: a server's client,
   * or what stops it.
   *
   * @param options with which the other one is recorded
   */
  default CommandSpec beside(CommandSpec plain, RecorderOptions options) {
    return plain;
  }

  /** What Powercut's recorder makes of commands. */
  static CommandRecorder of(Recorder recorder) {
    return new CommandRecorder() {
      @Override
      public CommandSpec record(CommandSpec plain, RecorderOptions options) {
        return recorder.record(plain, options);
      }

      @Override
      public CommandSpec beside(CommandSpec plain, RecorderOptions options) {
        return recorder.beside(plain, options);
      }
    };
  }
}
