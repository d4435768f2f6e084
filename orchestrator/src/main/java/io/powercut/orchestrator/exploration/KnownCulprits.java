// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.Occurrence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The culprits that were found so far, so that another state with one of them does not need the
 * whole search. Safe for use by several threads.
 */
public final class KnownCulprits {
  private final List<Known> known = new CopyOnWriteArrayList<>();

  /**
   * Where a culprit was found first.
   *
   * @param state the name of the state that showed it
   * @param daxOnly whether no disk could leave that state
   */
  record Discovery(Occurrence occurrence, String state, boolean daxOnly) {}

  /** Remembers a culprit; one of a state that a disk could leave is found before the others. */
  void add(Culprit culprit, String fingerprint, Discovery first) {
    known.add(
        first.daxOnly() ? known.size() : 0,
        new Known(
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(InFlightStore::code)
                .collect(Collectors.toUnmodifiableSet()),
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(InFlightStore::site)
                .collect(Collectors.toUnmodifiableSet()),
            fingerprint,
            first));
  }

  /** Those found so far, in the order in which they are tried. */
  List<Known> all() {
    return known;
  }

  /** The instructions whose stores they lost. */
  public Set<Integer> instructions() {
    return known.stream()
        .flatMap(one -> one.instructions().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * A culprit that was found.
   *
   * @param lost the code of the stores that it lost
   * @param instructions which made these
   * @param first where it was found
   */
  record Known(
      Set<StoreCode> lost, Set<Integer> instructions, String fingerprint, Discovery first) {
    /**
     * The lines of a state that lost stores of this code; nothing if not all of the code is there.
     */
    Optional<CrashState> in(CrashState state) {
      if (!state.isFew()) {
        boolean hasAll = lost.stream().noneMatch(code -> state.of(Set.of(code)).isProgramOrder());
        return hasAll ? Optional.of(state.of(lost).simple()) : Optional.empty();
      }
      List<LineDifference> lines = new ArrayList<>();
      Set<StoreCode> seen = new HashSet<>();
      for (LineDifference line : state.differences()) {
        Set<StoreCode> codes =
            line.missing().stream()
                .map(InFlightStore::code)
                .filter(lost::contains)
                .collect(Collectors.toSet());
        if (!codes.isEmpty()) {
          lines.add(line);
          seen.addAll(codes);
        }
      }
      return seen.containsAll(lost) ? Optional.of(CrashState.of(lines)) : Optional.empty();
    }
  }
}
