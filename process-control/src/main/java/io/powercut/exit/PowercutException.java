// SPDX-License-Identifier: Apache-2.0
package io.powercut.exit;

import org.jspecify.annotations.Nullable;

/**
 * Ends a command of Powercut. It carries the exit code; the message says what happened and what to
 * do, and is shown as it is, without a stack trace.
 */
public class PowercutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exit;

  /**
   * @param exit how the command ends
   * @param message what happened and the remedy; null only when it comes from an exception that has
   *     none
   */
  protected PowercutException(ExitCode exit, @Nullable String message) {
    super(message);
    this.exit = exit;
  }

  /**
   * What was asked for cannot be done with the files, runs or options that were named: the user's
   * mistake.
   *
   * @param message what is wrong and the remedy
   */
  public static PowercutException usage(@Nullable String message) {
    return new PowercutException(ExitCode.WRONG_USAGE, message);
  }

  /**
   * No trustworthy result is possible: the target failed without any crash, a control failed, a
   * file was damaged or a tool is missing.
   *
   * @param message what happened and the remedy
   */
  public static PowercutException notTrustworthy(@Nullable String message) {
    return new PowercutException(ExitCode.NOT_TRUSTWORTHY, message);
  }

  /** How the command ends. */
  public final ExitCode exit() {
    return exit;
  }
}
