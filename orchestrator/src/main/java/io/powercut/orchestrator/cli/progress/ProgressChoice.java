// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;

/**
 * A line that moves on a terminal, plain lines elsewhere; on standard error, so that output pipes.
 */
final class ProgressChoice {
  private ProgressChoice() {}

  /** Progress on a screen. */
  static Progress on(Screen screen) {
    return screen.isTerminal() ? new TerminalProgress(screen) : new PlainProgress(screen);
  }
}
