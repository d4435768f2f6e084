// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** Why the trace goes no further. */
public sealed interface EndEvent extends TraceEvent permits TraceEvent.Stopped, TraceEvent.Ended {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.end(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.Stopped}. */
    void visit(TraceEvent.Stopped stopped) throws X;

    /** Visits a {@link TraceEvent.Ended}. */
    void visit(TraceEvent.Ended ended) throws X;
  }
}
