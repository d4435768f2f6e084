package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.session.Progress;

/** A bar on a terminal, plain lines elsewhere; always on standard error, so that output pipes. */
final class ProgressChoice {
  private ProgressChoice() {}

  static Progress choose() {
    return Boolean.getBoolean("powercut.terminal")
        ? new TerminalProgress(System.err)
        : new PlainProgress(System.err);
  }
}
