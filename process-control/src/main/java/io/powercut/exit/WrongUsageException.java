package io.powercut.exit;

/**
 * What was asked for cannot be done with the files or runs that were named: the user's mistake. The
 * message says which and what to do, and is shown as it is, without a stack trace.
 */
public final class WrongUsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong and the remedy
   */
  public WrongUsageException(String message) {
    super(message);
  }
}
