// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** A thread begins, ends or waits for the end of another one, or of a process. */
public sealed interface ThreadEvent extends TraceEvent
    permits TraceEvent.ThreadStarted,
        TraceEvent.ThreadExited,
        TraceEvent.ThreadJoined,
        TraceEvent.ProcessJoined {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.thread(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.ThreadStarted}. */
    void visit(TraceEvent.ThreadStarted started) throws X;

    /** Visits a {@link TraceEvent.ThreadExited}. */
    void visit(TraceEvent.ThreadExited exited) throws X;

    /** Visits a {@link TraceEvent.ThreadJoined}. */
    void visit(TraceEvent.ThreadJoined joined) throws X;

    /** Visits a {@link TraceEvent.ProcessJoined}. */
    void visit(TraceEvent.ProcessJoined joined) throws X;
  }
}
