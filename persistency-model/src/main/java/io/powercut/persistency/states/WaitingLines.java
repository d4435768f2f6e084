package io.powercut.persistency.states;

import io.powercut.instrumentation.trace.StoreFlags;
import java.util.HashSet;
import java.util.Set;

/** A thread: the lines that wait for its next fence, and the store it is about to go on with. */
final class WaitingLines {
  private static final long NONE = -1;

  private long unfinishedStore = NONE;
  private Set<LineHistory> lines = new HashSet<>();

  /** The store to which a record belongs, named after its first record. */
  long event(long ordinal, int flags) {
    long event = unfinishedStore == NONE ? ordinal : unfinishedStore;
    unfinishedStore = (flags & StoreFlags.MORE) != 0 ? event : NONE;
    return event;
  }

  void add(LineHistory line) {
    lines.add(line);
  }

  void remove(LineHistory line) {
    lines.remove(line);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** The lines that waited; none does any more. */
  Set<LineHistory> take() {
    Set<LineHistory> taken = lines;
    if (taken.isEmpty()) {
      return Set.of();
    }
    lines = new HashSet<>();
    return taken;
  }
}
