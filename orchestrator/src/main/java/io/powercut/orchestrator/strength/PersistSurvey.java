// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.persistency.lines.FencedLines;
import io.powercut.persistency.lines.FlushEffect;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.LineObserver;
import io.powercut.persistency.lines.ThreadProgress;
import io.powercut.trace.FenceKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Instruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the flushes, fences and synchronisations of a trace by call stack, and how many of them
 * had something to do. Fences of locked instructions are left out, since nobody can forget them
 * alone; and so are synchronisations that promise no contents, what the campaign excludes, and what
 * is outside its begin and end.
 */
final class PersistSurvey implements LineObserver, TraceConsumer {
  private final TraceTables tables;
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
   * @param active whether the analysis begins at once
   */
  PersistSurvey(TraceTables tables, ExcludedFunctions excluded, boolean active) {
    this.tables = tables;
    this.excluded = excluded;
    this.active = active;
  }

  @Override
  public void stored(StoreRecord record, long store) {
    if (record.stack() != 0) {
      storing.set(record.stack());
    }
  }

  @Override
  public void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {
    if (effect != FlushEffect.VOLATILE) {
      count(flush.stack(), flush.kind().instruction(), !effect.isRedundant());
    }
  }

  @Override
  public void fenced(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines) {
    if (fence.kind() != FenceKind.LOCKED) {
      count(fence.stack(), fence.kind().instruction(), !lines.isEmpty());
    }
  }

  @Override
  public void synchronised(TraceEvent.SyncEnded ended, boolean isNeeded) {
    TraceEvent.Sync sync = ended.sync();
    count(sync.stack(), sync.kind().instruction(), isNeeded);
  }

  /** Marks; all else comes from a tracker. */
  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Mark mark) {
      active = mark.kind() == TraceEvent.MarkKind.BEGIN;
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
