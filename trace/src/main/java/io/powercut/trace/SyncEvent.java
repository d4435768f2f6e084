// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** A system call that makes files durable begins or ends. */
public sealed interface SyncEvent extends TraceEvent permits TraceEvent.Sync, TraceEvent.SyncEnded {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.synchronisation(this);
  }

  /** The call as it began. */
  TraceEvent.Sync call();

  /** Whether what the call is about is durable now: at its end, if it succeeded. */
  boolean isGuarantee();

  /**
   * Whether what was done to names and sizes before the call is durable now: at its end, if it
   * succeeded.
   */
  boolean persistsMetadata();

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.Sync}. */
    void visit(TraceEvent.Sync begun) throws X;

    /** Visits a {@link TraceEvent.SyncEnded}. */
    void visit(TraceEvent.SyncEnded ended) throws X;
  }
}
