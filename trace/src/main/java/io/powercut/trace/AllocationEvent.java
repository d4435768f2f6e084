// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/**
 * A thread calls a function that allocates persistent memory. Such functions may be called in one
 * another.
 */
public sealed interface AllocationEvent extends TraceEvent
    permits TraceEvent.Allocating, TraceEvent.Allocated, TraceEvent.AllocationEnded {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.allocation(this);
  }

  /** In how many others of the thread the function is, from 0 on. */
  int depth();

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.Allocating}. */
    void visit(TraceEvent.Allocating allocating) throws X;

    /** Visits a {@link TraceEvent.Allocated}. */
    void visit(TraceEvent.Allocated allocated) throws X;

    /** Visits a {@link TraceEvent.AllocationEnded}. */
    void visit(TraceEvent.AllocationEnded ended) throws X;
  }
}
