// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** Says what a number of code means that later records use. */
public sealed interface DefinitionEvent extends TraceEvent
    permits TraceEvent.ModuleDefined, TraceEvent.SiteDefined, TraceEvent.StackDefined {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.definition(this);
  }

  /** Hands it to the method for its kind. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /**
   * What to do with each kind.
   *
   * @param <X> what can go wrong
   */
  interface Visitor<X extends Exception> {
    /** Visits a {@link TraceEvent.ModuleDefined}. */
    void visit(TraceEvent.ModuleDefined defined) throws X;

    /** Visits a {@link TraceEvent.SiteDefined}. */
    void visit(TraceEvent.SiteDefined defined) throws X;

    /** Visits a {@link TraceEvent.StackDefined}. */
    void visit(TraceEvent.StackDefined defined) throws X;
  }
}
