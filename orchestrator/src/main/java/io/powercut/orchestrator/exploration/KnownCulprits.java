// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.lines.StorePlaces;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.Occurrence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * The culprits that were found so far, so that another state with one of them does not need the
 * whole search. Safe for use by several threads.
 */
public final class KnownCulprits {
  /** Recoveries that may hang, in all, to find out which store was there too early. */
  private static final int MOST_HANGS = 8;

  private final List<Known> known = new CopyOnWriteArrayList<>();

  /** Code whose stores were there too early. */
  private final Set<StoreCode> early = ConcurrentHashMap.newKeySet();

  private final AtomicInteger hangs = new AtomicInteger(MOST_HANGS);

  /**
   * Where a culprit was found first.
   *
   * @param state the name of the state that showed it
   * @param daxOnly whether no disk could leave that state
   * @param brokenBefore whether recovery cannot cope with what was there right before the lost
   *     stores either
   * @param sinceOutput whether recovery fails only since the target acknowledged something after
   *     the lost stores
   * @param cut the last event before the power was cut
   */
  record Discovery(
      Occurrence occurrence,
      String state,
      boolean daxOnly,
      boolean brokenBefore,
      boolean sinceOutput,
      long cut) {
    /**
     * Whether it is later in the run than another moment: there, more may have been needed for
     * recovery to fail. In which order they are judged depends on the machine.
     */
    boolean isBehind(Occurrence other, long otherCut) {
      return occurrence.order() == other.order() && cut > otherCut;
    }
  }

  /**
   * Remembers a culprit; one of a state that a disk could leave is found before the others.
   *
   * @param kindOfFile of the first lost store, where only that tells its mistake from others
   */
  void add(Culprit culprit, Optional<String> kindOfFile, String fingerprint, Discovery first) {
    known.add(
        first.daxOnly() ? known.size() : 0,
        new Known(
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(InFlightStore::code)
                .collect(Collectors.toUnmodifiableSet()),
            culprit.lost().stream()
                .map(BlamedStore::store)
                .map(store -> new Instruction(store.stack(), store.site()))
                .collect(Collectors.toUnmodifiableSet()),
            kindOfFile,
            fingerprint,
            first));
  }

  /** Remembers a store without which recovery succeeds. */
  void addEarly(InFlightStore store) {
    early.add(store.code());
  }

  /** Whether other stores of its code were there too early. */
  boolean wasEarly(InFlightStore store) {
    return early.contains(store.code());
  }

  /** Whether there is time for one more recovery that may hang; it is used up then. */
  boolean mayHang() {
    return hangs.getAndDecrement() > 0;
  }

  /** Those found so far, in the order in which they are tried. */
  List<Known> all() {
    return known;
  }

  /**
   * The places in the code whose stores they lost.
   *
   * @param numbers what counts as a place
   */
  public Set<Integer> places(StorePlaces numbers) {
    return known.stream()
        .flatMap(one -> one.instructions().stream())
        .map(one -> numbers.of(one.stack(), one.site()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** An instruction and the calls that led to it, as the trace numbers them. */
  record Instruction(int stack, int site) {}

  /**
   * A culprit that was found.
   *
   * @param lost the code of the stores that it lost
   * @param instructions which made these
   * @param kindOfFile into which; nothing if that makes no difference
   * @param first where it was found
   */
  record Known(
      Set<StoreCode> lost,
      Set<Instruction> instructions,
      Optional<String> kindOfFile,
      String fingerprint,
      Discovery first) {
    /** When the first of the stores was made that a part of a state lost. */
    long firstLost(CrashState part) {
      return part.differences().stream()
          .flatMap(line -> line.missing().stream())
          .filter(store -> lost.contains(store.code()))
          .mapToLong(InFlightStore::ordinal)
          .min()
          .orElseThrow();
    }

    /**
     * The lines of a state that lost stores of this code; nothing if not all of the code is there.
     *
     * @param kinds of files, by places in them
     */
    Optional<CrashState> in(CrashState state, LongFunction<String> kinds) {
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
        boolean isThere =
            kindOfFile.isEmpty() || kindOfFile.get().equals(kinds.apply(line.location()));
        if (isThere && !codes.isEmpty()) {
          lines.add(line);
          seen.addAll(codes);
        }
      }
      return seen.containsAll(lost) ? Optional.of(CrashState.of(lines)) : Optional.empty();
    }
  }
}
