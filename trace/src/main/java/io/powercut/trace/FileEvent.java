// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** A PM file is there, or something other than a store changes its contents or its names. */
public sealed interface FileEvent extends TraceEvent
    permits TraceEvent.FileDefined,
        TraceEvent.FileResized,
        TraceEvent.FileZeroed,
        TraceEvent.FileRenamed,
        TraceEvent.FileLinked,
        TraceEvent.FileDeleted {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.file(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.FileDefined}. */
    void visit(TraceEvent.FileDefined defined) throws X;

    /** Visits a {@link TraceEvent.FileResized}. */
    void visit(TraceEvent.FileResized resized) throws X;

    /** Visits a {@link TraceEvent.FileZeroed}. */
    void visit(TraceEvent.FileZeroed zeroed) throws X;

    /** Visits a {@link TraceEvent.FileRenamed}. */
    void visit(TraceEvent.FileRenamed renamed) throws X;

    /** Visits a {@link TraceEvent.FileLinked}. */
    void visit(TraceEvent.FileLinked linked) throws X;

    /** Visits a {@link TraceEvent.FileDeleted}. */
    void visit(TraceEvent.FileDeleted deleted) throws X;
  }
}
