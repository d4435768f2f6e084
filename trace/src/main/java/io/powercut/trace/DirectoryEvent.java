// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/**
 * What the PM directory holds beside regular files changes, or the attributes of anything in it.
 */
public sealed interface DirectoryEvent extends TraceEvent
    permits TraceEvent.DirectoryCreated,
        TraceEvent.DirectoryDeleted,
        TraceEvent.DirectoryRenamed,
        TraceEvent.SymbolicLinkCreated,
        TraceEvent.AttributesTold {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.directory(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.DirectoryCreated}. */
    void visit(TraceEvent.DirectoryCreated created) throws X;

    /** Visits a {@link TraceEvent.DirectoryDeleted}. */
    void visit(TraceEvent.DirectoryDeleted deleted) throws X;

    /** Visits a {@link TraceEvent.DirectoryRenamed}. */
    void visit(TraceEvent.DirectoryRenamed renamed) throws X;

    /** Visits a {@link TraceEvent.SymbolicLinkCreated}. */
    void visit(TraceEvent.SymbolicLinkCreated created) throws X;

    /** Visits a {@link TraceEvent.AttributesTold}. */
    void visit(TraceEvent.AttributesTold told) throws X;
  }
}
