// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;

/** The target's threads could not run in the recorded order, which says nothing of the target. */
public final class ScheduleLostException extends PowercutException {
  private static final long serialVersionUID = 1L;

  ScheduleLostException(String message) {
    super(ExitCode.NOT_TRUSTWORTHY, message);
  }
}
