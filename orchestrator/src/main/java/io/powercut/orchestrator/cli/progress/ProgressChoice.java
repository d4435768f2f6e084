// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;

/** A bar on a terminal, plain lines elsewhere; always on standard error, so that output pipes. */
public final class ProgressChoice {
  private ProgressChoice() {}

  public static Progress choose() {
    return Boolean.getBoolean("powercut.terminal")
        ? new TerminalProgress(System.err)
        : new PlainProgress(System.err);
  }
}
