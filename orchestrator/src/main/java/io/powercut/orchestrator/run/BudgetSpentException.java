package io.powercut.orchestrator.run;

/** The campaign's budget of time or images is used up; what is known so far has been kept. */
final class BudgetSpentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BudgetSpentException() {
    super("the campaign's budget is used up");
  }
}
