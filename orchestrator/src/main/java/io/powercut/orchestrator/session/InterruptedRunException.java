// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

/** The run was interrupted, for example by Ctrl-C; what is known so far has been kept. */
public final class InterruptedRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An interruption. */
  public InterruptedRunException() {
    super("interrupted");
  }
}
