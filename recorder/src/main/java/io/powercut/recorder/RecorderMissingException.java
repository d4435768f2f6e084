package io.powercut.recorder;

/** The recorder, or the Valgrind that it needs, is not there; the message says the remedy. */
public final class RecorderMissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RecorderMissingException(String message) {
    super(message);
  }
}
