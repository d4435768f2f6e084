// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import org.jspecify.annotations.Nullable;

/**
 * The native process that runs commands is missing, cannot be started, or ended at once, as when it
 * is killed. The message says which and what to do.
 */
public final class SupervisorNotStartedException extends PowercutException {
  private static final long serialVersionUID = 1L;

  SupervisorNotStartedException(String message, @Nullable Throwable cause) {
    super(ExitCode.NOT_TRUSTWORTHY, message);
    initCause(cause);
  }
}
