package io.powercut.orchestrator.run;

import com.google.common.base.Throwables;

/**
 * Powercut cannot go on, for a reason that is neither the target's nor the user's: no memory is
 * left, or a stack is too deep. The message is a sentence for the user.
 */
final class OwnErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OwnErrorException(Error error) {
    super(sentence(error), error);
  }

  /** The message, and where it happened if that is a mistake of Powercut to be found. */
  String text() {
    Throwable error = getCause();
    boolean saysEnough = error instanceof OutOfMemoryError || error instanceof StackOverflowError;
    return getMessage()
        + (error == null || saysEnough
            ? ""
            : "\n" + Throwables.getStackTraceAsString(error).stripTrailing());
  }

  private static String sentence(Error error) {
    if (error instanceof OutOfMemoryError) {
      return "Powercut itself ran out of memory ("
          + (Runtime.getRuntime().maxMemory() >> 20)
          + " MiB of heap): what was judged before counts, the rest is not judged; judge less at a"
          + " time (parallel, crashStates.perFailurePoint), or report the run as a mistake of"
          + " Powercut.";
    }
    if (error instanceof StackOverflowError) {
      return "Powercut itself ran out of stack: what was judged before counts, the rest is not"
          + " judged; please report the run as a mistake of Powercut.";
    }
    return "Powercut itself failed ("
        + error
        + "): what was judged before counts, the rest is not judged; please report the run as a"
        + " mistake of Powercut.";
  }
}
