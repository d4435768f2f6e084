// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;

/** The target failed although nobody cut the power, and the recorder did its work. */
public final class TargetFailedException extends PowercutException {
  private static final long serialVersionUID = 1L;

  private final String problem;

  /**
   * @param problem how it failed, with what it printed
   */
  public TargetFailedException(String problem) {
    super(ExitCode.NOT_TRUSTWORTHY, "without any crash, " + problem);
    this.problem = problem;
  }

  /** How it failed, with what it printed. */
  public String problem() {
    return problem;
  }
}
