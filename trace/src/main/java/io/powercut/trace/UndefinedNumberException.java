// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.trace.file.RecordDecoder;
import java.util.NoSuchElementException;

/** A trace uses a number that it has not defined; {@link RecordDecoder} says where. */
public final class UndefinedNumberException extends NoSuchElementException {
  private static final long serialVersionUID = 1L;

  public UndefinedNumberException(String what, int number) {
    super("the trace does not define " + what + " " + number);
  }
}
