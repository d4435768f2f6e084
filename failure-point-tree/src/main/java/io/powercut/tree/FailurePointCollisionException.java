// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** Two different call stacks have the same {@link FailurePointId}. */
public final class FailurePointCollisionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FailurePointCollisionException(CallStack known, CallStack reached) {
    super(
        String.format(
            "Two call stacks have the same failure point id %s, so one of them cannot be tested:%n"
                + "%s%nand%n%s%nRemedy: exclude one of the two functions, or rebuild the target,"
                + " which changes its offsets.",
            known.id(), known.describe(), reached.describe()));
  }
}
