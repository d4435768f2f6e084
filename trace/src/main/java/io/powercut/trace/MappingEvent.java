// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/** Where PM files are mapped changes. */
public sealed interface MappingEvent extends TraceEvent
    permits TraceEvent.Mapped, TraceEvent.Unmapped {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.mapping(this);
  }
}
