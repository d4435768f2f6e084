// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.trace.file.PageCheck;
import io.powercut.trace.replay.ReadLines;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Instruction;
import io.powercut.tree.SourcePosition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One record of a trace as an object.
 *
 * <p>A new kind of record joins the group of what it is about: then all code that deals with the
 * group fails to compile until it deals with the new kind too.
 */
public sealed interface TraceEvent
    permits InstructionEvent,
        SyncEvent,
        FileEvent,
        DirectoryEvent,
        MappingEvent,
        DefinitionEvent,
        ThreadEvent,
        LockEvent,
        AllocationEvent,
        ProcessEvent,
        EndEvent,
        TraceEvent.PageChecked,
        TraceEvent.Output,
        TraceEvent.Read,
        TraceEvent.Mark,
        TraceEvent.RangeDeclared,
        TraceEvent.MetadataChange,
        TraceEvent.PersistedOutside,
        TraceEvent.Reserved {
  /** The record's place in the trace, counted from 0 over all records. */
  long ordinal();

  /** The number of the thread that caused it, as {@link ThreadStarted} introduced it. */
  int thread();

  /** Hands it to the method for its group. */
  <X extends Exception> void dispatch(EventGroups<X> groups) throws X;

  /**
   * A consumer that passes every record on as an object, also stores, loads, flushes and fences.
   */
  static TraceConsumer consumer(Consumer<? super TraceEvent> receiver) {
    return new EventConsumer(receiver);
  }

  /**
   * A store to persistent memory.
   *
   * @param flags {@link StoreFlags}
   * @param stack 0 when it was not collected
   * @param location the first byte's {@link Location}
   * @param data a read-only copy of the stored bytes
   */
  record Store(
      long ordinal, int thread, int flags, int site, int stack, long location, ByteBuffer data)
      implements InstructionEvent {}

  /**
   * A cache-line flush.
   *
   * @param location of the cache line; may be volatile
   */
  record Flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      implements InstructionEvent {}

  /** A fence, or an instruction with a fence's effect. */
  record Fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      implements InstructionEvent {}

  /**
   * A load from persistent memory by a program with several threads.
   *
   * @param flags {@link #LOCKED}, {@link #KERNEL}
   * @param location the first byte's {@link Location}; never volatile
   * @param size in bytes, at least 1
   */
  record Load(long ordinal, int thread, int flags, int site, int stack, long location, long size)
      implements InstructionEvent {
    /** Part of a locked read-modify-write or xchg, whether that stores or not. */
    public static final int LOCKED = 1;

    /** A system call read it from mapped persistent memory. */
    public static final int KERNEL = 2;
  }

  /**
   * A system call that makes files durable, about to run. What it promises counts from its {@link
   * SyncEnded} on.
   *
   * @param location the first byte's {@link Location}; 0 for {@link SyncKind#SYNC} and {@link
   *     SyncKind#DIRECTORY}, which name no file
   * @param length in bytes; 0 for all up to the end of the file
   */
  record Sync(
      long ordinal, int thread, SyncKind kind, int site, int stack, long location, long length)
      implements SyncEvent {
    @Override
    public Sync call() {
      return this;
    }

    @Override
    public boolean isGuarantee() {
      return false;
    }

    @Override
    public boolean persistsMetadata() {
      return false;
    }

    @Override
    public <X extends Exception> void accept(SyncEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A synchronisation is over. If it succeeded, what was stored before {@link Sync} is durable;
   * what others stored while it ran is not promised.
   *
   * @param thread the one that learnt of it, which need not be the one that began it
   * @param sync as it began
   * @param error the number of the error, 0 for success
   */
  record SyncEnded(long ordinal, int thread, Sync sync, int error) implements SyncEvent {
    @Override
    public Sync call() {
      return sync;
    }

    @Override
    public boolean isGuarantee() {
      return error == 0 && sync.kind().isGuarantee();
    }

    @Override
    public boolean persistsMetadata() {
      return error == 0 && sync.kind().persistsMetadata();
    }

    /** Whether it would have made contents durable, and failed. */
    public boolean hasFailed() {
      return error != 0 && sync.kind().isGuarantee();
    }

    @Override
    public <X extends Exception> void accept(SyncEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A PM file is used for the first time, or was just created.
   *
   * @param file its number from now on
   * @param state whether it is new and has a name
   * @param size in bytes now
   * @param path relative to the PM directory
   */
  record FileDefined(long ordinal, int thread, int file, FileState state, long size, String path)
      implements FileEvent {
    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A PM file was truncated or extended to a size in bytes; what it gained reads as zero. */
  record FileResized(long ordinal, int thread, int file, long size) implements FileEvent {
    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A range of a PM file reads as zero, as by punching a hole; the size stays.
   *
   * @param isStored whether stores of zeros came before it, which say what may be lost; else it
   *     takes effect and persists at once
   */
  record FileZeroed(long ordinal, int thread, int file, long offset, long length, boolean isStored)
      implements FileEvent {
    /** One that takes effect and persists at once. */
    public FileZeroed(long ordinal, int thread, int file, long offset, long length) {
      this(ordinal, thread, file, offset, length, false);
    }

    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A PM file has another name. Whatever had that name before is gone.
   *
   * @param path relative to the PM directory
   * @param outside whether the new name lies outside the PM directory: the file left
   */
  record FileRenamed(long ordinal, int thread, int file, String path, boolean outside)
      implements FileEvent {
    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A PM file has one more name.
   *
   * @param path relative to the PM directory
   * @param outside whether that name lies outside the PM directory
   */
  record FileLinked(long ordinal, int thread, int file, String path, boolean outside)
      implements FileEvent {
    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A name of a PM file was removed; mappings of it may live on.
   *
   * @param path the name, relative to the PM directory
   * @param hasOtherNames whether the file can still be reached by another name
   */
  record FileDeleted(long ordinal, int thread, int file, String path, boolean hasOtherNames)
      implements FileEvent {
    @Override
    public <X extends Exception> void accept(FileEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A directory was made below the PM directory. */
  record DirectoryCreated(long ordinal, int thread, String path) implements DirectoryEvent {
    @Override
    public <X extends Exception> void accept(DirectoryEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A directory below the PM directory was removed. */
  record DirectoryDeleted(long ordinal, int thread, String path) implements DirectoryEvent {
    @Override
    public <X extends Exception> void accept(DirectoryEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A directory below the PM directory has another name. */
  record DirectoryRenamed(long ordinal, int thread, String from, String to)
      implements DirectoryEvent {
    @Override
    public <X extends Exception> void accept(DirectoryEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A symbolic link was made below the PM directory. */
  record SymbolicLinkCreated(long ordinal, int thread, String path, String target)
      implements DirectoryEvent {
    @Override
    public <X extends Exception> void accept(DirectoryEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * What a file, a directory or a symbolic link has beside its content: after what made it, and
   * after each call that may have changed it.
   *
   * @param file the number of a regular file; 0 for what has the path
   * @param path relative to the PM directory, empty for that itself; empty when there is a file
   */
  record AttributesTold(long ordinal, int thread, int file, String path, FileAttributes attributes)
      implements DirectoryEvent {
    @Override
    public <X extends Exception> void accept(DirectoryEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** Part of a PM file was mapped. */
  record Mapped(
      long ordinal, int thread, int pid, int file, long fileOffset, long address, long length)
      implements MappingEvent {}

  /** A range of addresses is no longer mapped to PM. */
  record Unmapped(long ordinal, int thread, int pid, long address, long length)
      implements MappingEvent {}

  /**
   * A binary or library.
   *
   * @param path absolute
   * @param buildId hexadecimal, empty when there is none
   * @param loadBias what was added to its link-time addresses
   * @param name in failure points: the base name, with something after it when another module of
   *     the execution has that
   */
  record ModuleDefined(
      long ordinal, int thread, int module, String path, String buildId, long loadBias, String name)
      implements DefinitionEvent {
    private static final Pattern SYSTEM_LIBRARY = Pattern.compile("/(usr/)?lib(32|64|x32)?/.*");

    /** A module whose base name no other has. */
    public ModuleDefined(
        long ordinal, int thread, int module, String path, String buildId, long loadBias) {
      this(
          ordinal,
          thread,
          module,
          path,
          buildId,
          loadBias,
          path.substring(path.lastIndexOf('/') + 1));
    }

    /** Whether it lies where a distribution puts its libraries. */
    public boolean isOfTheSystem() {
      return SYSTEM_LIBRARY.matcher(path).matches();
    }

    @Override
    public <X extends Exception> void accept(DefinitionEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * An instruction.
   *
   * @param module 0 for code outside any file
   * @param offset the link-time address in the module
   * @param positions innermost inlined function first; never empty
   */
  record SiteDefined(
      long ordinal, int thread, int site, int module, long offset, List<SourcePosition> positions)
      implements DefinitionEvent {
    public SiteDefined {
      positions = List.copyOf(positions);
    }

    @Override
    public <X extends Exception> void accept(DefinitionEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A call stack.
   *
   * @param id as the recorder computed it
   * @param excluded whether it runs through an excluded function
   * @param sites innermost first
   */
  record StackDefined(
      long ordinal, int thread, int stack, FailurePointId id, boolean excluded, List<Integer> sites)
      implements DefinitionEvent {
    public StackDefined {
      sites = List.copyOf(sites);
    }

    @Override
    public <X extends Exception> void accept(DefinitionEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A thread began.
   *
   * @param started its number
   * @param creator the number of the thread that made it; 0 for the first
   * @param pid its process
   * @param osThread its number in the operating system
   */
  record ThreadStarted(long ordinal, int thread, int started, int creator, int pid, int osThread)
      implements ThreadEvent {
    @Override
    public <X extends Exception> void accept(ThreadEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A thread ended. */
  record ThreadExited(long ordinal, int thread, int exited) implements ThreadEvent {
    @Override
    public <X extends Exception> void accept(ThreadEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** The thread waited for another to end. */
  record ThreadJoined(long ordinal, int thread, int joined) implements ThreadEvent {
    @Override
    public <X extends Exception> void accept(ThreadEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * The thread waited for a child process to end.
   *
   * @param pid of the child
   */
  record ProcessJoined(long ordinal, int thread, int pid) implements ThreadEvent {
    @Override
    public <X extends Exception> void accept(ThreadEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * The thread has a lock now, or goes on behind a release of what is no lock.
   *
   * @param isShared whether other threads may have it at the same time, in this mode
   */
  record Acquired(
      long ordinal, int thread, LockKind kind, boolean isShared, int site, int stack, long object)
      implements LockEvent {
    @Override
    public <X extends Exception> void accept(LockEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** The thread gives a lock back, or lets others go on. */
  record Released(long ordinal, int thread, LockKind kind, int site, int stack, long object)
      implements LockEvent {
    @Override
    public <X extends Exception> void accept(LockEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** The thread enters a function that allocates persistent memory. */
  record Allocating(long ordinal, int thread, int depth) implements AllocationEvent {
    @Override
    public <X extends Exception> void accept(AllocationEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * The function returned, and this is new memory: nothing that was done to it before matters,
   * other than what the thread stored there since it entered the function.
   *
   * @param stack of the call
   * @param location the first byte's {@link Location}
   * @param size in bytes, all in one file
   */
  record Allocated(
      long ordinal, int thread, int site, int stack, long location, long size, int depth)
      implements AllocationEvent {
    @Override
    public <X extends Exception> void accept(AllocationEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** The function is over: it returned, behind what it allocated, or was left. */
  record AllocationEnded(long ordinal, int thread, int depth) implements AllocationEvent {
    @Override
    public <X extends Exception> void accept(AllocationEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A process was made by fork.
   *
   * @param creator the thread that called fork
   */
  record ProcessStarted(long ordinal, int thread, int pid, int parent, int creator)
      implements ProcessEvent {
    @Override
    public <X extends Exception> void accept(ProcessEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A process runs another program from now on. */
  record ProgramReplaced(long ordinal, int thread, int pid, String path) implements ProcessEvent {
    @Override
    public <X extends Exception> void accept(ProcessEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * A process ended with a status.
   *
   * @param unfinished whether a system call that may store to PM files was cut short, so that the
   *     record may lack what it stored
   */
  record ProcessExited(long ordinal, int thread, int pid, int status, boolean unfinished)
      implements ProcessEvent {
    @Override
    public <X extends Exception> void accept(ProcessEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /**
   * What the recorder found in memory, in a whole page of a mapped PM file, to be compared with
   * what the trace says. {@link PageCheck} has the hash.
   *
   * @param location the {@link Location} of the page's first byte
   * @param hash over all bytes of the page
   */
  record PageChecked(long ordinal, int thread, long location, long hash) implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.pageChecked(this);
    }
  }

  /**
   * The program wrote something to where others can see it, and the system call is over.
   *
   * @param stack the call stack's number; 0 when it was not collected
   * @param path of an ordinary file, absolute; otherwise empty
   * @param size in bytes, at least 1
   * @param acknowledges whether it came after a PM store and outputs count, so that the next flush
   *     or fence is a failure point
   * @param more whether the same call continues in this thread's next output
   * @param data a read-only copy of the bytes; empty when only their number is known, as of what
   *     the kernel moved from a pipe
   */
  record Output(
      long ordinal,
      int thread,
      OutputKind kind,
      int site,
      int stack,
      int descriptor,
      String path,
      long size,
      boolean acknowledges,
      boolean more,
      ByteBuffer data)
      implements TraceEvent {
    /** Whether the bytes are known and not only their number. */
    public boolean isKnown() {
      return data.hasRemaining();
    }

    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.output(this);
    }
  }

  /**
   * Lines of a PM file were read for the first time by a process that had not itself overwritten
   * what it read there. {@link ReadLines} collects them.
   *
   * @param location of the first line's first byte
   * @param length in bytes, a multiple of 64; may go beyond the file's end
   * @param severalNames whether the file has or had more than one name
   */
  record Read(long ordinal, int thread, long location, long length, boolean severalNames)
      implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.read(this);
    }
  }

  /**
   * A system call is about to change a name below the PM directory, or a size without a store. The
   * records of what it changed follow, unless it fails.
   *
   * @param counts whether the next flush, fence or the like is a failure point: it is, unless the
   *     call only adds an empty file, a directory or zeros, and nothing was stored before
   * @param durable whether it is durable once the call has returned
   * @param stack 0 when it was not collected
   * @param path of what it is about, relative to the PM directory; empty outside
   * @param other the name that a rename or a link makes; empty outside and of other kinds
   */
  record MetadataChange(
      long ordinal,
      int thread,
      MetadataKind kind,
      boolean counts,
      boolean durable,
      int site,
      int stack,
      String path,
      String other)
      implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.metadata(this);
    }
  }

  /** A function at which the analysis begins or ends was entered. */
  record Mark(long ordinal, int thread, MarkKind kind, int site) implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.mark(this);
    }
  }

  /**
   * The program says by {@code powercut.h} what bytes are from now on, until it says something else
   * of them.
   *
   * @param location the first byte's {@link Location}; volatile where no persistent memory was
   *     mapped, so that it means nothing
   * @param size in bytes, at least 1, all in one file
   */
  record RangeDeclared(long ordinal, int thread, RangeKind kind, int site, long location, long size)
      implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.range(this);
    }
  }

  /**
   * An ordinary file that is no PM file was made durable.
   *
   * @param path absolute
   * @param times calls that wrote to it, or synchronised a shared mapping of it, since the process
   *     last reported it
   */
  record PersistedOutside(long ordinal, int thread, String path, long times) implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.persistedOutside(this);
    }
  }

  /** The execution was stopped before this failure point. */
  record Stopped(long ordinal, int thread, FailurePointId id, int stack) implements EndEvent {
    @Override
    public <X extends Exception> void accept(EndEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** All processes are over. */
  record Ended(long ordinal, int thread) implements EndEvent {
    @Override
    public <X extends Exception> void accept(EndEvent.Visitor<X> visitor) throws X {
      visitor.visit(this);
    }
  }

  /** A kind of record that later recorders may write and that means nothing here. */
  record Reserved(long ordinal, int thread, int kind) implements TraceEvent {
    @Override
    public <X extends Exception> void dispatch(EventGroups<X> groups) throws X {
      groups.reserved(this);
    }
  }

  /** What is known of a PM file when it is defined. */
  enum FileState {
    /** It was there already. */
    EXISTING,
    /** The program made it just now, empty. */
    CREATED,
    /** It was there but has no name (any more). */
    UNNAMED,
    /** The program made it just now, without a name ({@code O_TMPFILE}). */
    CREATED_UNNAMED;

    /** Whether the program made it just now. */
    public boolean isNew() {
      return this == CREATED || this == CREATED_UNNAMED;
    }

    /** Whether it can be reached by its path. */
    public boolean hasName() {
      return this == EXISTING || this == CREATED;
    }
  }

  /** Where output goes. */
  enum OutputKind {
    STANDARD_OUTPUT,
    STANDARD_ERROR,
    SOCKET,
    PIPE,
    /** A regular file that is no PM file. */
    FILE,
    /** Nowhere: the program says that it is acknowledged, by {@code powercut.h}. */
    ACKNOWLEDGED
  }

  /** What the bytes of a declared range are. */
  enum RangeKind {
    /** Data as all others. */
    PERSISTENT,
    /** Nobody needs them after a crash. */
    TRANSIENT,
    /** No analysis is to look at stores to them. */
    IGNORED
  }

  /** What a system call changes, other than the content of files. */
  enum MetadataKind {
    /** {@code open} that creates a file, {@code mkdir}, {@code mknod}, {@code symlink}. */
    CREATE(Instruction.CREATE),
    RENAME(Instruction.RENAME),
    LINK(Instruction.LINK),
    /** {@code unlink}, {@code rmdir}. */
    UNLINK(Instruction.UNLINK),
    /** {@code truncate}, {@code ftruncate}, {@code fallocate}, {@code open} that truncates. */
    RESIZE(Instruction.RESIZE);

    private final Instruction instruction;

    MetadataKind(Instruction instruction) {
      this.instruction = instruction;
    }

    /** The same in the words of the failure-point tree. */
    public Instruction instruction() {
      return instruction;
    }
  }

  /** What a mark means. */
  enum MarkKind {
    BEGIN,
    END
  }
}
