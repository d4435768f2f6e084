// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import java.io.IOException;

/**
 * A trace does not fit the state it is replayed over: the PM files were changed by a process that
 * the recorder did not see, or the state is not the one that the run began with.
 */
public final class TraceMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  TraceMismatchException(String problem) {
    super(
        problem
            + "; possibly a process outside the instrumented run (a client, a daemon of the set-up) changed"
            + " the PM files, or this is the state of another set-up");
  }
}
