// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Where it is worth to search for states that are not decided: not where one occurrence of the
 * failure point is open already, which it then stays, and hardly any more when few of the last
 * searches decided anything. Depends on results alone, not on time. Safe for use by several
 * threads.
 */
final class SearchYield {
  /** So many searches are looked back at. */
  private static final int WINDOW = 16;

  /** One in so many of them has to decide all. */
  private static final int LEAST = 2;

  /** When it is not worth it, one in so many occurrences is searched all the same. */
  private static final int TRIED = 16;

  private final Deque<Boolean> last = new ArrayDeque<>();
  private final Set<FailurePointId> open = new HashSet<>();
  private int decided;

  /** Whether it is at an occurrence. */
  synchronized boolean isWorthIt(Occurrence occurrence) {
    if (open.contains(occurrence.id())) {
      return false;
    }
    return last.size() < WINDOW
        || decided * LEAST >= WINDOW
        || Math.floorMod(occurrence.hashCode(), TRIED) == 0;
  }

  /** Counts what a search at an occurrence came to. */
  synchronized void ended(Occurrence occurrence, boolean isDecided) {
    passed(occurrence, isDecided);
    last.addLast(isDecided);
    decided += isDecided ? 1 : 0;
    if (last.size() > WINDOW && last.removeFirst()) {
      decided--;
    }
  }

  /** Without a search, an occurrence is decided or stays open. */
  synchronized void passed(Occurrence occurrence, boolean isDecided) {
    if (!isDecided) {
      open.add(occurrence.id());
    }
  }
}
