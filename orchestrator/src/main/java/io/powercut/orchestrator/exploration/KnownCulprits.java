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
import java.util.function.Predicate;
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

  private record Known(Set<StoreCode> lost, String fingerprint, Discovery first) {}

  /**
   * A culprit that shows again.
   *
   * @param first where it was found
   * @param part of the state, which recovery cannot handle either
   */
  record Sighting(String fingerprint, Discovery first, CrashState part) {}

  /** Remembers a culprit; one of a state that a disk could leave is found before the others. */
  void add(Culprit culprit, String fingerprint, Discovery first) {
    known.add(
        first.daxOnly() ? known.size() : 0,
        new Known(
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(InFlightStore::code)
                .collect(Collectors.toUnmodifiableSet()),
            fingerprint,
            first));
  }

  /**
   * A known culprit that is also to blame for this state.
   *
   * @param failing a state that recovery cannot handle
   * @param fails asks recovery
   */
  Optional<Sighting> find(CrashState failing, Predicate<CrashState> fails) {
    for (Known one : known) {
      Optional<CrashState> part = part(failing, one.lost());
      if (part.isPresent() && (part.get().equals(failing) || fails.test(part.get()))) {
        return Optional.of(new Sighting(one.fingerprint(), one.first(), part.get()));
      }
    }
    return Optional.empty();
  }

  /** The lines that lost stores of this code; nothing if not all of the code is there. */
  private static Optional<CrashState> part(CrashState failing, Set<StoreCode> wanted) {
    if (!failing.isFew()) {
      boolean hasAll = wanted.stream().noneMatch(code -> failing.of(Set.of(code)).isProgramOrder());
      return hasAll ? Optional.of(failing.of(wanted).simple()) : Optional.empty();
    }
    List<LineDifference> lines = new ArrayList<>();
    Set<StoreCode> seen = new HashSet<>();
    for (LineDifference line : failing.differences()) {
      Set<StoreCode> codes =
          line.missing().stream()
              .map(InFlightStore::code)
              .filter(wanted::contains)
              .collect(Collectors.toSet());
      if (!codes.isEmpty()) {
        lines.add(line);
        seen.addAll(codes);
      }
    }
    return seen.containsAll(wanted) ? Optional.of(CrashState.of(lines)) : Optional.empty();
  }
}
