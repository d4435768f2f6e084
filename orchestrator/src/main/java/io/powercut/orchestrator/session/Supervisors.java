// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.process.Supervisor;
import io.powercut.process.SupervisorNotStartedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The supervisors of a run: handed out to one thread at a time and used again, since a recovery is
 * often shorter than the start of a supervisor. Closing this kills all that they run.
 */
public final class Supervisors implements AutoCloseable {
  private final List<Supervisor> all = new ArrayList<>();
  private final Deque<Supervisor> free = new ArrayDeque<>();
  private boolean closed;

  /** A supervisor on loan; closing the loan gives it back. */
  public final class Loan implements AutoCloseable {
    private final Supervisor supervisor;

    private Loan(Supervisor supervisor) {
      this.supervisor = supervisor;
    }

    /** The supervisor. */
    public Supervisor supervisor() {
      return supervisor;
    }

    @Override
    public void close() {
      giveBack(supervisor);
    }
  }

  /**
   * Lends a supervisor, starting one when none is free.
   *
   * @throws InterruptedRunException if this was closed
   */
  public synchronized Loan borrow() {
    if (closed) {
      throw new InterruptedRunException();
    }
    Supervisor supervisor = free.poll();
    while (supervisor != null && supervisor.isLost()) {
      all.remove(supervisor);
      supervisor = free.poll();
    }
    if (supervisor == null) {
      supervisor = start();
      all.add(supervisor);
    }
    return new Loan(supervisor);
  }

  /** One that was killed before it answered was not used by anyone. */
  private static Supervisor start() {
    try {
      return Supervisor.start();
    } catch (SupervisorNotStartedException once) {
      return Supervisor.start();
    }
  }

  private synchronized void giveBack(Supervisor supervisor) {
    free.push(supervisor);
  }

  @Override
  public void close() {
    List<Supervisor> running;
    synchronized (this) {
      closed = true;
      running = List.copyOf(all);
    }
    running.forEach(Supervisor::close);
  }
}
