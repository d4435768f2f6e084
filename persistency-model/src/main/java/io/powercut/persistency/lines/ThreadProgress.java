// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Collection;
import java.util.List;

/**
 * A thread: what it did since its last fence, the lines that wait for the next, and the store it is
 * about to go on with.
 */
public final class ThreadProgress {
  private static final long NONE = -1;

  /** A fence mostly has no more to wait for. */
  private static final int FEW_LINES = 4;

  private long unfinishedStore = NONE;
  private long instruction = NONE;
  private int siteOfInstruction;
  private boolean stored;
  private boolean needsFence;
  private boolean flushedInOrder;

  /** By location, in the order in which they came to wait. */
  private Long2ObjectLinkedOpenHashMap<LineHistory> lines = noLines();

  private LongSet coldPages = new LongOpenHashSet();

  /** Whether it stored to persistent memory since its last fence. */
  public boolean stored() {
    return stored;
  }

  /**
   * Whether it made a flush of persistent memory or a store past the cache since its last fence
   * that persists nothing without another one.
   */
  public boolean needsFence() {
    return needsFence;
  }

  /** Whether it flushed persistent memory by {@code clflush} since its last fence. */
  public boolean flushedInOrder() {
    return flushedInOrder;
  }

  /** The store to which a record belongs, named after its first record. */
  long event(StoreRecord record) {
    long event = unfinishedStore == NONE ? record.ordinal() : unfinishedStore;
    unfinishedStore = record.hasMore() ? event : NONE;
    stored = true;
    needsFence |= record.isNonTemporal();
    return event;
  }

  /** It flushed persistent memory. */
  void flushed(FlushKind kind) {
    switch (kind) {
      case CLFLUSH -> flushedInOrder = true;
      case CLFLUSHOPT, CLWB -> needsFence = true;
    }
  }

  /** Its fence is over. */
  void fenced() {
    stored = false;
    needsFence = false;
    flushedInOrder = false;
  }

  /**
   * The string instruction, or else the store, to which a record belongs: what is not ordered
   * within a line.
   *
   * @param event the store to which the record belongs
   */
  long instruction(long event, StoreRecord record) {
    if (!record.isElement() || record.site() != siteOfInstruction) {
      instruction = event;
      siteOfInstruction = record.site();
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

  private static Long2ObjectLinkedOpenHashMap<LineHistory> noLines() {
    return new Long2ObjectLinkedOpenHashMap<>(FEW_LINES);
  }

  void add(LineHistory line) {
    lines.put(line.location(), line);
  }

  void remove(LineHistory line) {
    lines.remove(line.location());
  }

  /** A page has a cold line that waits. */
  void addPage(long page) {
    coldPages.add(page);
  }

  /** Pages that have, or had, cold lines that wait. */
  LongSet pages() {
    return coldPages;
  }

  /** The lines that wait and are not cold. */
  Collection<LineHistory> lines() {
    return lines.values();
  }

  /** The lines that waited; none does any more. */
  Collection<LineHistory> take() {
    if (lines.isEmpty()) {
      return List.of();
    }
    Collection<LineHistory> taken = lines.values();
    lines = noLines();
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
