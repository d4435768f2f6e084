// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

/** The campaign's budget of time or images is used up; what is known so far has been kept. */
public final class BudgetSpentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BudgetSpentException() {
    super("the campaign's budget is used up");
  }
}
