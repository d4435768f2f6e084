// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.input;

import java.io.IOException;

/**
 * A file that is there, but is not read: it is of the wrong kind, too large, or not text. The
 * message continues a sentence that begins with the file's name: {@code is a directory}.
 */
public final class UnusableInputException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int line;

  UnusableInputException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The line in which the trouble is, from 1; 0 when it is the file as a whole. */
  public int line() {
    return line;
  }
}
