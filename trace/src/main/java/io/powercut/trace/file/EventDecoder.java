// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.FileAttributes;
import io.powercut.trace.Location;
import io.powercut.trace.LockKind;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.trace.TraceEvent.RangeKind;
import io.powercut.trace.file.RawRecord.DamagedException;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import io.powercut.tree.source.SourcePaths;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decodes the rarer kinds of records. */
final class EventDecoder {
  private static final int SITE_FRAME_BYTES = 16;
  private static final int OUTPUT_HEADER_BYTES = 32;
  private static final int ATTRIBUTES_HEADER_BYTES = 32;
  private static final byte[] NOTHING = {};

  private EventDecoder() {}

  static TraceEvent decode(RawRecord record) throws DamagedException {
    int kind = record.kind();
    return switch (kind) {
      case TraceFormat.FILE_DEF -> fileDefined(record);
      case TraceFormat.FILE_RESIZE ->
          new TraceEvent.FileResized(
              record.ordinal(), record.thread(), record.getCount(8), record.getSize(16));
      case TraceFormat.FILE_PUNCH ->
          new TraceEvent.FileZeroed(
              record.ordinal(),
              record.thread(),
              record.getCount(8),
              record.getSize(16),
              record.getSize(24),
              record.hasFlag(TraceFormat.PUNCH_STORED));
      case TraceFormat.FILE_RENAME, TraceFormat.FILE_LINK, TraceFormat.FILE_DELETE ->
          fileNamed(record);
      case TraceFormat.DIR_CREATE,
          TraceFormat.DIR_DELETE,
          TraceFormat.DIR_RENAME,
          TraceFormat.SYMLINK ->
          paths(record);
      case TraceFormat.ATTRIBUTES -> attributes(record);
      case TraceFormat.MAP ->
          new TraceEvent.Mapped(
              record.ordinal(),
              record.thread(),
              record.getInt(12),
              record.getCount(8),
              record.getSize(16),
              record.getLong(24),
              record.getSize(32));
      case TraceFormat.UNMAP ->
          new TraceEvent.Unmapped(
              record.ordinal(),
              record.thread(),
              record.getInt(12),
              record.getLong(24),
              record.getSize(32));
      case TraceFormat.MODULE_DEF -> moduleDefined(record);
      case TraceFormat.SITE_DEF -> siteDefined(record);
      case TraceFormat.STACK_DEF -> stackDefined(record);
      case TraceFormat.THREAD_START, TraceFormat.THREAD_EXIT, TraceFormat.THREAD_JOIN ->
          thread(record);
      case TraceFormat.PROCESS_JOIN ->
          new TraceEvent.ProcessJoined(record.ordinal(), record.thread(), record.getInt(16));
      case TraceFormat.ACQUIRE, TraceFormat.RELEASE -> lock(record);
      case TraceFormat.ALLOCATING, TraceFormat.ALLOCATED, TraceFormat.ALLOCATION_END ->
          allocation(record);
      case TraceFormat.PROCESS_START, TraceFormat.EXEC, TraceFormat.PROCESS_EXIT -> process(record);
      case TraceFormat.OUTPUT -> output(record);
      case TraceFormat.OUTSIDE ->
          new TraceEvent.PersistedOutside(
              record.ordinal(),
              record.thread(),
              record.getText(24, record.getCount(8)),
              record.getSize(16));
      case TraceFormat.READ -> read(record);
      case TraceFormat.CHECK ->
          new TraceEvent.PageChecked(
              record.ordinal(), record.thread(), record.getSize(8), record.getLong(16));
      case TraceFormat.RANGE -> range(record);
      case TraceFormat.METADATA -> metadata(record);
      case TraceFormat.MARK ->
          new TraceEvent.Mark(
              record.ordinal(), record.thread(), mark(record.flags()), record.getInt(8));
      case TraceFormat.STOP ->
          new TraceEvent.Stopped(
              record.ordinal(),
              record.thread(),
              new FailurePointId(record.getLong(16)),
              record.getInt(8));
      case TraceFormat.END -> new TraceEvent.Ended(record.ordinal(), record.thread());
      default -> reserved(record, kind);
    };
  }

  private static TraceEvent reserved(RawRecord record, int kind) throws DamagedException {
    if (kind < TraceFormat.FIRST_RESERVED || kind > TraceFormat.LAST_RESERVED) {
      throw new DamagedException("there is no kind " + kind);
    }
    return new TraceEvent.Reserved(record.ordinal(), record.thread(), kind);
  }

  private static TraceEvent fileDefined(RawRecord record) throws DamagedException {
    FileState state =
        record.hasFlag(TraceFormat.FILE_UNNAMED)
            ? (record.hasFlag(TraceFormat.FILE_NEW) ? FileState.CREATED_UNNAMED : FileState.UNNAMED)
            : (record.hasFlag(TraceFormat.FILE_NEW) ? FileState.CREATED : FileState.EXISTING);
    return new TraceEvent.FileDefined(
        record.ordinal(),
        record.thread(),
        record.getCount(8),
        state,
        record.getSize(16),
        record.getText(24, record.getInt(12)));
  }

  private static TraceEvent fileNamed(RawRecord record) throws DamagedException {
    long ordinal = record.ordinal();
    int thread = record.thread();
    int file = record.getCount(8);
    String path = record.getText(16, record.getInt(12));
    boolean outside = record.hasFlag(TraceFormat.PATH_OUTSIDE);
    return switch (record.kind()) {
      case TraceFormat.FILE_RENAME ->
          new TraceEvent.FileRenamed(ordinal, thread, file, path, outside);
      case TraceFormat.FILE_LINK -> new TraceEvent.FileLinked(ordinal, thread, file, path, outside);
      default ->
          new TraceEvent.FileDeleted(
              ordinal, thread, file, path, record.hasFlag(TraceFormat.DELETE_HAS_NAMES));
    };
  }

  private static TraceEvent paths(RawRecord record) throws DamagedException {
    long ordinal = record.ordinal();
    int thread = record.thread();
    int pathLength = record.getInt(8);
    String path = record.getText(16, pathLength);
    String other = record.getText(16 + pathLength, record.getInt(12));
    return switch (record.kind()) {
      case TraceFormat.DIR_CREATE -> new TraceEvent.DirectoryCreated(ordinal, thread, path);
      case TraceFormat.DIR_DELETE -> new TraceEvent.DirectoryDeleted(ordinal, thread, path);
      case TraceFormat.DIR_RENAME -> new TraceEvent.DirectoryRenamed(ordinal, thread, path, other);
      default -> new TraceEvent.SymbolicLinkCreated(ordinal, thread, path, other);
    };
  }

  private static TraceEvent attributes(RawRecord record) throws DamagedException {
    int pathLength = record.getCount(12);
    int at = ATTRIBUTES_HEADER_BYTES + pathLength;
    int end = at + record.getCount(28);
    SortedMap<String, ByteBuffer> extended = new TreeMap<>();
    while (at < end) {
      int nameLength = record.getCount(at);
      int valueLength = record.getCount(at + Integer.BYTES);
      int name = at + 2 * Integer.BYTES;
      extended.put(
          record.getText(name, nameLength),
          ByteBuffer.wrap(record.getBytes(name + nameLength, valueLength)));
      at = name + nameLength + valueLength;
    }
    int mode = record.getInt(16);
    if (at != end || (mode & ~FileAttributes.PERMISSIONS) != 0) {
      throw new DamagedException(
          "attributes of mode "
              + Integer.toOctalString(mode)
              + " that end at "
              + at
              + ", not "
              + end);
    }
    return new TraceEvent.AttributesTold(
        record.ordinal(),
        record.thread(),
        record.getCount(8),
        record.getText(ATTRIBUTES_HEADER_BYTES, pathLength),
        new FileAttributes(mode, record.getInt(20), record.getInt(24), extended));
  }

  private static TraceEvent metadata(RawRecord record) throws DamagedException {
    int pathLength = record.getCount(16);
    return new TraceEvent.MetadataChange(
        record.ordinal(),
        record.thread(),
        metadataKind(record.flags() & TraceFormat.METADATA_KIND_MASK),
        record.hasFlag(TraceFormat.METADATA_COUNTS),
        record.hasFlag(TraceFormat.METADATA_DURABLE),
        record.getInt(8),
        record.getInt(12),
        record.getText(24, pathLength),
        record.getText(24 + pathLength, record.getCount(20)));
  }

  private static TraceEvent moduleDefined(RawRecord record) throws DamagedException {
    int pathLength = record.getCount(12);
    int buildIdLength = record.getCount(16);
    return new TraceEvent.ModuleDefined(
        record.ordinal(),
        record.thread(),
        record.getCount(8),
        record.getText(32, pathLength),
        HexFormat.of().formatHex(record.getBytes(32 + pathLength, buildIdLength)),
        record.getLong(24),
        record.getText(32 + pathLength + buildIdLength, record.getCount(20)));
  }

  private static TraceEvent siteDefined(RawRecord record) throws DamagedException {
    int frames = record.getCount(24);
    if (frames == 0) {
      throw new DamagedException("a site without frames");
    }
    List<SourcePosition> positions = new ArrayList<>();
    int text = 32 + frames * SITE_FRAME_BYTES;
    for (int index = 0; index < frames; index++) {
      int frame = 32 + index * SITE_FRAME_BYTES;
      int functionLength = record.getCount(frame);
      int fileLength = record.getCount(frame + 4);
      positions.add(
          new SourcePosition(
              record.getText(text, functionLength),
              SourcePaths.normal(record.getText(text + functionLength, fileLength)),
              record.getCount(frame + 8)));
      text += functionLength + fileLength;
    }
    return new TraceEvent.SiteDefined(
        record.ordinal(),
        record.thread(),
        record.getCount(8),
        record.getCount(12),
        record.getLong(16),
        positions);
  }

  private static TraceEvent stackDefined(RawRecord record) throws DamagedException {
    int depth = record.getCount(12);
    if (depth == 0) {
      throw new DamagedException("a stack without frames");
    }
    List<Integer> sites = new ArrayList<>();
    for (int index = 0; index < depth; index++) {
      sites.add(record.getCount(24 + index * Integer.BYTES));
    }
    return new TraceEvent.StackDefined(
        record.ordinal(),
        record.thread(),
        record.getCount(8),
        new FailurePointId(record.getLong(16)),
        record.hasFlag(TraceFormat.STACK_EXCLUDED),
        sites);
  }

  private static TraceEvent thread(RawRecord record) throws DamagedException {
    long ordinal = record.ordinal();
    int subject = record.getCount(8);
    return switch (record.kind()) {
      case TraceFormat.THREAD_START ->
          new TraceEvent.ThreadStarted(
              ordinal,
              record.thread(),
              subject,
              record.getCount(12),
              record.getInt(16),
              record.getInt(20));
      case TraceFormat.THREAD_EXIT ->
          new TraceEvent.ThreadExited(ordinal, record.thread(), subject);
      default -> new TraceEvent.ThreadJoined(ordinal, record.thread(), subject);
    };
  }

  private static TraceEvent lock(RawRecord record) throws DamagedException {
    @Nullable LockKind kind = LockKind.ofCode(record.getInt(24));
    boolean isRelease = record.kind() == TraceFormat.RELEASE;
    if (kind == null || record.flags() > (isRelease ? 0 : TraceFormat.LOCK_SHARED)) {
      throw new DamagedException(
          (isRelease ? "a release" : "an acquire")
              + " of kind "
              + record.getInt(24)
              + " with flags "
              + record.flags());
    }
    int site = record.getInt(8);
    int stack = record.getInt(12);
    long object = record.getLong(16);
    return isRelease
        ? new TraceEvent.Released(record.ordinal(), record.thread(), kind, site, stack, object)
        : new TraceEvent.Acquired(
            record.ordinal(),
            record.thread(),
            kind,
            record.hasFlag(TraceFormat.LOCK_SHARED),
            site,
            stack,
            object);
  }

  private static TraceEvent allocation(RawRecord record) throws DamagedException {
    long ordinal = record.ordinal();
    int thread = record.thread();
    return switch (record.kind()) {
      case TraceFormat.ALLOCATING -> new TraceEvent.Allocating(ordinal, thread, record.getCount(8));
      case TraceFormat.ALLOCATED -> allocated(record);
      default -> new TraceEvent.AllocationEnded(ordinal, thread, record.getCount(8));
    };
  }

  private static TraceEvent allocated(RawRecord record) throws DamagedException {
    long location = record.getSize(16);
    long size = record.getSize(24);
    if (size == 0 || size > (1L << Location.OFFSET_BITS) - Location.offset(location)) {
      throw new DamagedException(
          "an allocation of " + size + " bytes at " + Location.toString(location));
    }
    return new TraceEvent.Allocated(
        record.ordinal(),
        record.thread(),
        record.getInt(8),
        record.getInt(12),
        location,
        size,
        record.getCount(32));
  }

  private static TraceEvent process(RawRecord record) throws DamagedException {
    long ordinal = record.ordinal();
    int pid = record.getInt(8);
    int other = record.getInt(12);
    return switch (record.kind()) {
      case TraceFormat.PROCESS_START ->
          new TraceEvent.ProcessStarted(ordinal, record.thread(), pid, other, record.getCount(16));
      case TraceFormat.EXEC ->
          new TraceEvent.ProgramReplaced(
              ordinal, record.thread(), pid, record.getText(24, record.getInt(20)));
      default ->
          new TraceEvent.ProcessExited(
              ordinal, record.thread(), pid, other, record.hasFlag(TraceFormat.EXIT_UNFINISHED));
    };
  }

  private static TraceEvent output(RawRecord record) throws DamagedException {
    long size = record.getSize(16);
    int pathLength = record.getCount(24);
    boolean known = !record.hasFlag(TraceFormat.OUTPUT_UNKNOWN);
    if (size == 0 || (known && size > Integer.MAX_VALUE)) {
      throw new DamagedException("output of " + size + " bytes");
    }
    byte[] data = known ? record.getBytes(OUTPUT_HEADER_BYTES + pathLength, (int) size) : NOTHING;
    return new TraceEvent.Output(
        record.ordinal(),
        record.thread(),
        outputKind(record.flags()),
        record.getInt(8),
        record.getInt(28),
        record.getInt(12),
        record.getText(OUTPUT_HEADER_BYTES, pathLength),
        size,
        record.hasFlag(TraceFormat.OUTPUT_ACKNOWLEDGES),
        record.hasFlag(TraceFormat.OUTPUT_MORE),
        ByteBuffer.wrap(data).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
  }

  private static TraceEvent read(RawRecord record) throws DamagedException {
    long location = record.getSize(8);
    long size = record.getSize(16);
    long room = (1L << Location.OFFSET_BITS) - Location.offset(location);
    if (size == 0 || (location | size) % TraceFormat.LINE_BYTES != 0 || size > room) {
      throw new DamagedException(
          "a read of " + size + " bytes at " + Location.toString(location) + ", want whole lines");
    }
    return new TraceEvent.Read(
        record.ordinal(), record.thread(), location, size, record.hasFlag(TraceFormat.READ_NAMES));
  }

  private static MetadataKind metadataKind(int kind) throws DamagedException {
    return switch (kind) {
      case 1 -> MetadataKind.CREATE;
      case 2 -> MetadataKind.RENAME;
      case 3 -> MetadataKind.LINK;
      case 4 -> MetadataKind.UNLINK;
      case 5 -> MetadataKind.RESIZE;
      default -> throw new DamagedException("a change of metadata of kind " + kind);
    };
  }

  private static OutputKind outputKind(int flags) throws DamagedException {
    return switch (flags & TraceFormat.OUTPUT_KIND_MASK) {
      case 1 -> OutputKind.STANDARD_OUTPUT;
      case 2 -> OutputKind.STANDARD_ERROR;
      case 3 -> OutputKind.SOCKET;
      case 4 -> OutputKind.PIPE;
      case 5 -> OutputKind.FILE;
      case 6 -> OutputKind.ACKNOWLEDGED;
      default -> throw new DamagedException("output of kind " + flags);
    };
  }

  private static TraceEvent range(RawRecord record) throws DamagedException {
    RangeKind kind =
        switch (record.flags()) {
          case 1 -> RangeKind.PERSISTENT;
          case 2 -> RangeKind.TRANSIENT;
          case 3 -> RangeKind.IGNORED;
          default -> throw new DamagedException("a range of kind " + record.flags());
        };
    long location = record.getSize(16);
    long size = record.getSize(24);
    if (size < 1 || size > (1L << Location.OFFSET_BITS) - Location.offset(location)) {
      throw new DamagedException("a range of " + size + " bytes at " + Location.toString(location));
    }
    return new TraceEvent.RangeDeclared(
        record.ordinal(), record.thread(), kind, record.getInt(8), location, size);
  }

  private static MarkKind mark(int flags) throws DamagedException {
    return switch (flags) {
      case 1 -> MarkKind.BEGIN;
      case 2 -> MarkKind.END;
      default -> throw new DamagedException("a mark of kind " + flags);
    };
  }
}
