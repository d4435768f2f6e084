package io.powercut.persistency.states;

import io.powercut.trace.StoreFlags;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.HashSet;
import java.util.Set;

/** A thread: the lines that wait for its next fence, and the store it is about to go on with. */
final class WaitingLines {
  private static final long NONE = -1;

  private long unfinishedStore = NONE;
  private long instruction = NONE;
  private int siteOfInstruction;
  private Set<LineHistory> lines = new HashSet<>();
  private LongSet coldPages = new LongOpenHashSet();

  /** The store to which a record belongs, named after its first record. */
  long event(long ordinal, int flags) {
    long event = unfinishedStore == NONE ? ordinal : unfinishedStore;
    unfinishedStore = (flags & StoreFlags.MORE) != 0 ? event : NONE;
    return event;
  }

  /**
   * The string instruction, or else the store, to which a record belongs: what is not ordered
   * within a line.
   *
   * @param event the store to which the record belongs
   */
  long instruction(long event, int flags, int site) {
    if ((flags & StoreFlags.ELEMENT) == 0 || site != siteOfInstruction) {
      instruction = event;
      siteOfInstruction = site;
    }
    return instruction;
  }

  /**
   * Whether the next record may belong to this too.
   *
   * @param instruction of {@link #instruction}
   */
  boolean mayGoOnWith(long instruction) {
    return instruction != NONE
        && (instruction == this.instruction || instruction == unfinishedStore);
  }

  void add(LineHistory line) {
    lines.add(line);
  }

  void remove(LineHistory line) {
    lines.remove(line);
  }

  /** A page has a cold line that waits. */
  void addPage(long page) {
    coldPages.add(page);
  }

  /** Pages that have, or had, cold lines that wait. */
  LongSet pages() {
    return coldPages;
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

  /** The pages that had lines that waited; none has any more. */
  LongSet takePages() {
    LongSet taken = coldPages;
    if (!taken.isEmpty()) {
      coldPages = new LongOpenHashSet();
    }
    return taken;
  }
}
