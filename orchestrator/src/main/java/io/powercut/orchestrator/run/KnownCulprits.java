package io.powercut.orchestrator.run;

import io.powercut.orchestrator.states.BlamedStore;
import io.powercut.orchestrator.states.Culprit;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PendingStore;
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
final class KnownCulprits {
  private final List<Known> known = new CopyOnWriteArrayList<>();

  /** The code of a store: its stack, and its site where there is no stack. */
  private record Code(int stack, int site) {
    static Code of(PendingStore store) {
      return store.stack() != 0 ? new Code(store.stack(), 0) : new Code(0, store.site());
    }
  }

  private record Known(Set<Code> lost, String fingerprint) {}

  /**
   * A culprit that shows again.
   *
   * @param part of the state, which recovery cannot cope with either
   */
  record Sighting(String fingerprint, CrashState part) {}

  /** Remembers a culprit. */
  void add(Culprit culprit, String fingerprint) {
    known.add(
        new Known(
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(Code::of)
                .collect(Collectors.toUnmodifiableSet()),
            fingerprint));
  }

  /**
   * A known culprit that is also to blame for this state.
   *
   * @param failing a state that recovery cannot cope with
   * @param fails asks recovery
   */
  Optional<Sighting> find(CrashState failing, Predicate<CrashState> fails) {
    for (Known one : known) {
      Optional<CrashState> part = part(failing, one.lost());
      if (part.isPresent() && (part.get().equals(failing) || fails.test(part.get()))) {
        return Optional.of(new Sighting(one.fingerprint(), part.get()));
      }
    }
    return Optional.empty();
  }

  /** The lines that lost stores of this code; nothing if not all of the code is there. */
  private static Optional<CrashState> part(CrashState failing, Set<Code> wanted) {
    List<LineDifference> lines = new ArrayList<>();
    Set<Code> seen = new HashSet<>();
    for (LineDifference line : failing.differences()) {
      Set<Code> codes =
          line.missing().stream()
              .map(Code::of)
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
