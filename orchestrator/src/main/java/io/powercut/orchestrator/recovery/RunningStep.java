// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recovery;

import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.session.Workers;
import io.powercut.process.Supervisor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A step of recovery that another thread runs. Closing it kills the step if it still runs. */
public final class RunningStep implements AutoCloseable {
  private final Supervisors.Loan loan;
  private final AtomicBoolean over;
  private final CompletableFuture<CommandOutcome> outcome;

  private RunningStep(
      Supervisors.Loan loan, AtomicBoolean over, CompletableFuture<CommandOutcome> outcome) {
    this.loan = loan;
    this.over = over;
    this.outcome = outcome;
  }

  static RunningStep of(Supervisors.Loan loan, Function<Supervisor, CommandOutcome> step) {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<CommandOutcome> outcome =
        Workers.inThread(
            "recorded-recovery",
            () -> {
              try {
                return step.apply(loan.supervisor());
              } finally {
                over.set(true);
              }
            });
    return new RunningStep(loan, over, outcome);
  }

  /** Whether the command has ended. */
  public boolean isOver() {
    return over.get();
  }

  /** Waits for its end. */
  public CommandOutcome await() {
    return Workers.await(outcome);
  }

  /** A supervisor that is closed kills what it runs, and is not lent again. */
  @Override
  public void close() {
    try (loan) {
      if (!over.get()) {
        loan.supervisor().close();
      }
      outcome.exceptionally(ended -> null).join();
    }
  }
}
