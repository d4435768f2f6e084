// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import picocli.CommandLine.Option;

/** How much a command says while it works. */
public class OutputArguments {
  @Option(
      names = {"-q", "--quiet"},
      description = "Shows no progress; what was found is still printed.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Shows each verdict as it comes, and how long each phase takes.")
  private boolean verbose;

  /** Progress as the user wants it, on standard error. */
  public Progress progress() {
    return on(Screen.errors());
  }

  /** Progress as the user wants it, on a screen. */
  Progress on(Screen screen) {
    if (quiet) {
      return Progress.SILENT;
    }
    Progress shown = ProgressChoice.on(screen);
    return verbose ? new VerboseProgress(shown) : shown;
  }

  /** Whether the user wants no more than what was found. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Whether the user wants to see everything. */
  boolean isVerbose() {
    return verbose;
  }
}
