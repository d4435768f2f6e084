package io.powercut.exit;

import org.jspecify.annotations.Nullable;

/**
 * The campaign cannot give a trustworthy result: the target failed without any crash, a control
 * failed or a tool is missing. The message says what happened and what to do, and is shown as it
 * is, without a stack trace.
 */
public final class NotTrustworthyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened and the remedy; null only when it comes from an exception that has
   *     none
   */
  public NotTrustworthyException(@Nullable String message) {
    super(message);
  }
}
