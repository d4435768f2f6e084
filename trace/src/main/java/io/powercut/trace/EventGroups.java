// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/**
 * What to do with events, by what they are about: {@link TraceEvent#dispatch} calls one of these
 * methods. Override those of the groups that matter to you. The visitor of a group has no defaults,
 * so that whoever deals with a group decides about each of its records.
 *
 * @param <X> what can go wrong
 */
public interface EventGroups<X extends Exception> {
  /** A store, a load, a flush or a fence, where records come as objects. */
  default void instruction(InstructionEvent event) throws X {}

  /** A synchronisation begins or ends. */
  default void synchronisation(SyncEvent event) throws X {}

  /** A PM file is defined or changes. */
  default void file(FileEvent event) throws X {}

  /** A directory, a symbolic link or attributes change. */
  default void directory(DirectoryEvent event) throws X {}

  /** Mappings of PM files change. */
  default void mapping(MappingEvent event) throws X {}

  /** A module, a site or a stack. */
  default void definition(DefinitionEvent event) throws X {}

  /** Threads begin and end. */
  default void thread(ThreadEvent event) throws X {}

  /** Threads acquire and release locks. */
  default void lock(LockEvent event) throws X {}

  /** Threads allocate persistent memory. */
  default void allocation(AllocationEvent event) throws X {}

  /** Processes begin and end. */
  default void process(ProcessEvent event) throws X {}

  /** The trace goes no further. */
  default void end(EndEvent event) throws X {}

  /** A system call is about to change names or a size. */
  default void metadata(TraceEvent.MetadataChange event) throws X {}

  /** What a page holds, to compare with. */
  default void pageChecked(TraceEvent.PageChecked event) throws X {}

  /** Output that others can see. */
  default void output(TraceEvent.Output event) throws X {}

  /** A first read of lines. */
  default void read(TraceEvent.Read event) throws X {}

  /** The analysis begins or ends. */
  default void mark(TraceEvent.Mark event) throws X {}

  /** The program says what becomes of stores to a range. */
  default void range(TraceEvent.RangeDeclared event) throws X {}

  /** Another file was made durable. */
  default void persistedOutside(TraceEvent.PersistedOutside event) throws X {}

  /** A kind that means nothing here. */
  default void reserved(TraceEvent.Reserved event) throws X {}
}
