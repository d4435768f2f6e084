// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Whether recovery reads what a place in the code stores and a power cut may take away. All runs of
 * recovery together that were watched tell. Safe for use by several threads.
 */
public final class StoreReads {
  /** That fewer runs do not read something says little. */
  private static final int ENOUGH = 4;

  private final Map<FailurePointId, Runs> byStack = new HashMap<>();

  /** Those in which something that a place had stored was in flight. */
  private static final class Runs {
    private int watched;
    private boolean isRead;
  }

  /**
   * Adds a run of recovery.
   *
   * @param lines in flight at the power cut
   * @param reads the bytes of a line that it read; nothing if it is not known
   * @param stacks the call stacks of the stores, by number
   */
  public synchronized void add(
      List<InFlightLine> lines,
      Function<InFlightLine, Optional<Long>> reads,
      IntFunction<CallStack> stacks) {
    Set<FailurePointId> stored = new HashSet<>();
    for (InFlightLine line : lines) {
      Optional<Long> read = reads.apply(line);
      if (read.isPresent()) {
        for (InFlightStore store : line.stores()) {
          FailurePointId stack = stacks.apply(store.stack()).id();
          Runs runs = byStack.computeIfAbsent(stack, unknown -> new Runs());
          runs.watched += stored.add(stack) ? 1 : 0;
          runs.isRead |= (read.get() & store.bytes()) != 0;
        }
      }
    }
  }

  /** Whether enough runs were watched, and none read anything that this place had stored. */
  public synchronized boolean isUnread(CallStack store) {
    Runs runs = byStack.get(store.id());
    return runs != null && runs.watched >= ENOUGH && !runs.isRead;
  }
}
