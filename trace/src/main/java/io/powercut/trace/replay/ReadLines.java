// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.powercut.trace.DirectoryEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.UndefinedNumberException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which cache lines of the PM files an execution read that it had not itself overwritten before:
 * what else the files held cannot have changed what it did.
 *
 * <p>Lines are distinguished by path and offset, since file numbers differ between executions. The
 * paths are those from before the execution, also when it renamed directories on the way. In doubt
 * a line counts as read. Not for sizes and names of files, which no line shows.
 *
 * <p>For traces recorded with {@link io.powercut.recorder.RecorderOptions.Builder#reads(boolean)}.
 * Not safe for use by several threads.
 */
public final class ReadLines
    implements TraceConsumer,
        EventGroups<RuntimeException>,
        FileEvent.Visitor<RuntimeException>,
        DirectoryEvent.Visitor<RuntimeException> {
  private record Move(String from, String to) {}

  /** The latest first. */
  private final Deque<Move> directoryMoves = new ArrayDeque<>();

  private final Map<Integer, String> paths = new HashMap<>();
  private final Map<String, RangeSet<Long>> linesOfPath = new HashMap<>();

  /** Of files with several names, which may be asked for by any of them. */
  private final RangeSet<Long> linesOfAnyPath = TreeRangeSet.create();

  @Override
  public void event(TraceEvent event) {
    event.dispatch(this);
  }

  @Override
  public void file(FileEvent event) {
    event.accept(this);
  }

  @Override
  public void directory(DirectoryEvent event) {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.FileDefined defined) {
    paths.put(defined.file(), pathBefore(defined.path()));
  }

  /** The path from before the execution stays. */
  @Override
  public void visit(TraceEvent.FileRenamed renamed) {}

  @Override
  public void visit(TraceEvent.FileLinked linked) {}

  @Override
  public void visit(TraceEvent.FileDeleted deleted) {}

  @Override
  public void visit(TraceEvent.FileResized resized) {}

  @Override
  public void visit(TraceEvent.FileZeroed zeroed) {}

  @Override
  public void visit(TraceEvent.DirectoryRenamed renamed) {
    directoryMoves.addFirst(new Move(renamed.from() + "/", renamed.to() + "/"));
  }

  @Override
  public void visit(TraceEvent.DirectoryCreated created) {}

  @Override
  public void visit(TraceEvent.DirectoryDeleted deleted) {}

  @Override
  public void visit(TraceEvent.SymbolicLinkCreated created) {}

  @Override
  public void visit(TraceEvent.AttributesTold told) {}

  private String pathBefore(String path) {
    String result = path;
    for (Move move : directoryMoves) {
      if (result.startsWith(move.to())) {
        result = move.from() + result.substring(move.to().length());
      }
    }
    return result;
  }

  @Override
  public void read(TraceEvent.Read read) {
    int file = Location.file(read.location());
    String path = paths.get(file);
    if (path == null) {
      throw new UndefinedNumberException("file", file);
    }
    long offset = Location.offset(read.location());
    RangeSet<Long> lines =
        read.severalNames()
            ? linesOfAnyPath
            : linesOfPath.computeIfAbsent(path, key -> TreeRangeSet.create());
    lines.add(Range.closedOpen(offset, offset + read.length()));
  }

  /**
   * Whether the line with a byte was read.
   *
   * @param path relative to the PM directory, as it was when the execution began
   * @param offset of any byte of the line
   */
  public boolean contains(String path, long offset) {
    @Nullable RangeSet<Long> lines = linesOfPath.get(path);
    return (lines != null && lines.contains(offset)) || linesOfAnyPath.contains(offset);
  }
}
