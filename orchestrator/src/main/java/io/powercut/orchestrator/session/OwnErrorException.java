// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.orchestrator.exit.Failure;

/**
 * Powercut cannot continue, for a reason that is neither the target's nor the user's: no memory is
 * left, or a stack is too deep. The message is a sentence for the user.
 */
public final class OwnErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OwnErrorException(Error error) {
    super(Failure.of(error).message(), error);
  }

  /** The message, and where it happened if that is a mistake of Powercut to be found. */
  public String text() {
    return Failure.of(this).text();
  }
}
