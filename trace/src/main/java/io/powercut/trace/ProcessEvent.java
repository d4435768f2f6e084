// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** A process begins, ends or runs another program. */
public sealed interface ProcessEvent extends TraceEvent
    permits TraceEvent.ProcessStarted, TraceEvent.ProgramReplaced, TraceEvent.ProcessExited {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.process(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.ProcessStarted}. */
    void visit(TraceEvent.ProcessStarted started) throws X;

    /** Visits a {@link TraceEvent.ProgramReplaced}. */
    void visit(TraceEvent.ProgramReplaced replaced) throws X;

    /** Visits a {@link TraceEvent.ProcessExited}. */
    void visit(TraceEvent.ProcessExited exited) throws X;
  }
}
