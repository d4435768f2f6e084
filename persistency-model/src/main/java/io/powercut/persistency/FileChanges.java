// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import io.powercut.trace.DirectoryEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a trace what system calls change at once beside bytes: names and sizes of files, and
 * directories. That a file grows while a write to it is under way does not count.
 */
public final class FileChanges {
  /** By number. */
  private final Map<Integer, String> paths = new HashMap<>();

  private final Map<Integer, Long> sizes = new HashMap<>();

  /** By thread, whether the next record belongs to the same store. */
  private final BitSet unfinished = new BitSet();

  private final Kinds kinds = new Kinds();

  /**
   * A change.
   *
   * @param namedFile the file that has another name or one more; 0 if it is about names of others,
   *     or about something else
   * @param text what happens, behind "before"
   * @param grows whether it is only that a file grows
   */
  public record Change(int namedFile, String text, boolean grows) {
    /** A change that is not only that a file grows. */
    public Change(int namedFile, String text) {
      this(namedFile, text, false);
    }
  }

  /** Gets the stores between the events. */
  public void store(StoreRecord store) {
    unfinished.set(store.thread(), store.hasMore());
  }

  /** The change that an event is, if it is one. Gets all events, in order. */
  public Optional<Change> of(TraceEvent event) {
    kinds.found = null;
    event.dispatch(kinds);
    return Optional.ofNullable(kinds.found);
  }

  private String path(int file) {
    return paths.getOrDefault(file, "a file");
  }

  /** Each is an event's. */
  private final class Kinds
      implements EventGroups<RuntimeException>,
          FileEvent.Visitor<RuntimeException>,
          DirectoryEvent.Visitor<RuntimeException> {
    private @Nullable Change found;

    @Override
    public void file(FileEvent event) {
      event.accept(this);
    }

    @Override
    public void directory(DirectoryEvent event) {
      event.accept(this);
    }

    private void found(String text) {
      found = new Change(0, text);
    }

    @Override
    public void visit(TraceEvent.FileDefined defined) {
      paths.put(defined.file(), defined.path());
      sizes.put(defined.file(), defined.size());
      if (defined.state() == TraceEvent.FileState.CREATED) {
        found(defined.path() + " is made");
      }
    }

    @Override
    public void visit(TraceEvent.FileResized resized) {
      Long before = sizes.put(resized.file(), resized.size());
      if (!unfinished.get(resized.thread())) {
        String path = path(resized.file());
        found =
            before != null && resized.size() < before
                ? new Change(0, path + " is truncated")
                : new Change(0, path + " is extended", true);
      }
    }

    @Override
    public void visit(TraceEvent.FileZeroed zeroed) {
      if (!zeroed.isStored()) {
        found("a range of " + path(zeroed.file()) + " is zeroed");
      }
    }

    @Override
    public void visit(TraceEvent.FileRenamed renamed) {
      paths.put(renamed.file(), renamed.path());
      found =
          renamed.outside()
              ? new Change(0, "a file leaves the directory")
              : new Change(renamed.file(), "the rename to " + renamed.path());
    }

    @Override
    public void visit(TraceEvent.FileLinked linked) {
      if (!linked.outside()) {
        found = new Change(linked.file(), "the link " + linked.path() + " is made");
      }
    }

    @Override
    public void visit(TraceEvent.FileDeleted deleted) {
      found(deleted.path() + " is removed");
    }

    @Override
    public void visit(TraceEvent.DirectoryCreated created) {
      found("the directory " + created.path() + " is made");
    }

    @Override
    public void visit(TraceEvent.DirectoryDeleted deleted) {
      found("the directory " + deleted.path() + " is removed");
    }

    @Override
    public void visit(TraceEvent.DirectoryRenamed renamed) {
      String below = renamed.from() + "/";
      paths.replaceAll(
          (file, path) ->
              path.startsWith(below) ? renamed.to() + path.substring(below.length() - 1) : path);
      found("the rename of the directory to " + renamed.to());
    }

    @Override
    public void visit(TraceEvent.SymbolicLinkCreated created) {
      found("the link " + created.path() + " is made");
    }

    @Override
    public void visit(TraceEvent.AttributesTold told) {
      // Recovery hardly ever depends on them.
    }
  }
}
