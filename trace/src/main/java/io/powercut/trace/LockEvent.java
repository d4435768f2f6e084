// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** A thread acquires a lock or releases it, or synchronises with others in another way. */
public sealed interface LockEvent extends TraceEvent
    permits TraceEvent.Acquired, TraceEvent.Released {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.lock(this);
  }

  /** What kind of object it is. */
  LockKind kind();

  /** The instruction. */
  int site();

  /** The call stack. */
  int stack();

  /**
   * The object's {@link Location}. In volatile memory it is an address in the thread's process, and
   * another object than the same address in another process.
   */
  long object();

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.Acquired}. */
    void visit(TraceEvent.Acquired acquired) throws X;

    /** Visits a {@link TraceEvent.Released}. */
    void visit(TraceEvent.Released released) throws X;
  }
}
