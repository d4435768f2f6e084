package io.powercut.process;

import org.jspecify.annotations.Nullable;

/**
 * The native process that runs commands is missing, cannot be started, or ended at once, as when
 * somebody kills it. The message says which and what to do.
 */
public final class SupervisorNotStartedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  SupervisorNotStartedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
