// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/**
 * An instruction that stores to persistent memory, loads from it or makes a store durable. A {@link
 * TraceConsumer} gets these as numbers, not as objects.
 */
public sealed interface InstructionEvent extends TraceEvent
    permits TraceEvent.Store, TraceEvent.Flush, TraceEvent.Fence, TraceEvent.Load {
  @Override
  default <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
    groups.instruction(this);
  }
}
