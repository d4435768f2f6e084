package io.powercut.instrumentation.trace;

import java.util.NoSuchElementException;

/** A trace uses a number that it has not defined; {@link RecordDecoder} says where. */
final class UndefinedNumberException extends NoSuchElementException {
  private static final long serialVersionUID = 1L;

  UndefinedNumberException(String what, int number) {
    super("the trace does not define " + what + " " + number);
  }
}
