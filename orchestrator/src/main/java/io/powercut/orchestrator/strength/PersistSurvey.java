package io.powercut.orchestrator.strength;

import io.powercut.persistency.states.PendingStores;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Instruction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the flushes, fences and synchronisations of a trace by call stack, and how many of them
 * had something to do. Fences of locked instructions are left out, since nobody can forget them
 * alone; and so are synchronisations that promise no contents, what the campaign excludes, and what
 * is outside its begin and end.
 */
final class PersistSurvey implements TraceConsumer {
  private final TraceTables tables;
  private final PendingStores pending;
  private final ExcludedFunctions excluded;
  private final Map<Integer, Counted> counted = new LinkedHashMap<>();
  private final BitSet storing = new BitSet();
  private boolean active;
  private int excludedSites;

  private static final class Counted {
    private final Instruction instruction;
    private final boolean isExcluded;
    private long count;
    private long used;

    Counted(Instruction instruction, boolean isExcluded) {
      this.instruction = instruction;
      this.isExcluded = isExcluded;
    }
  }

  /**
   * @param tables fed before this
   * @param pending fed behind this
   * @param active whether the analysis begins at once
   */
  PersistSurvey(
      TraceTables tables, PendingStores pending, ExcludedFunctions excluded, boolean active) {
    this.tables = tables;
    this.pending = pending;
    this.excluded = excluded;
    this.active = active;
  }

  @Override
  public void store(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset) {
    if (stack != 0) {
      storing.set(stack);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    if (!Location.isVolatile(location)) {
      count(stack, kind.instruction(), pending.hasUseForFlush(thread, location));
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    if (kind != FenceKind.LOCKED) {
      count(stack, kind.instruction(), pending.hasUseForFence(thread));
    }
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Mark mark) {
      active = mark.kind() == TraceEvent.MarkKind.BEGIN;
    } else if (event instanceof TraceEvent.SyncEnded ended && ended.isGuarantee()) {
      TraceEvent.Sync sync = ended.sync();
      count(sync.stack(), sync.kind().instruction(), pending.hasUseForSync(sync));
    }
  }

  private void count(int stack, Instruction instruction, boolean isUsed) {
    if (!active || stack == 0) {
      return;
    }
    Counted site =
        counted.computeIfAbsent(stack, fresh -> new Counted(instruction, isExcluded(fresh)));
    site.count++;
    site.used += isUsed ? 1 : 0;
  }

  private boolean isExcluded(int stack) {
    boolean isExcluded = tables.isExcluded(stack) || excluded.exclude(tables.stack(stack));
    excludedSites += isExcluded ? 1 : 0;
    return isExcluded;
  }

  /** What was found, in the order of first execution, excluded functions left out. */
  List<PersistSite> sites() {
    List<PersistSite> sites = new ArrayList<>();
    counted.forEach(
        (stack, site) -> {
          if (!site.isExcluded) {
            sites.add(
                new PersistSite(
                    stack, tables.stack(stack), site.instruction, site.count, site.used));
          }
        });
    return sites;
  }

  /** How many call stacks were left out because they are in excluded functions. */
  int excludedSites() {
    return excludedSites;
  }

  /** The call stacks of all stores. */
  List<CallStack> storingStacks() {
    return storing.stream().mapToObj(tables::stack).toList();
  }
}
