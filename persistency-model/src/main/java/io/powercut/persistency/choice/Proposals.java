// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import com.google.common.collect.Iterators;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.Selection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;

/** The states that one policy wants judged at one place, those of the least tried code in front. */
final class Proposals {
  /**
   * A line with more prefixes than this is lost as a whole, and up to the last store of a place.
   */
  private static final int FEW_PREFIXES = 8;

  /** Of very many lines, so many stand for all of them, or twice as many as can be judged. */
  private static final int SAMPLE = 256;

  private static final int LARGEST_SAMPLE = 1 << 14;

  private static final Comparator<Bucket> LEAST_TRIED =
      Comparator.comparingInt(Bucket::priority).thenComparingInt(Bucket::order);

  /** States of one kind, each made when it is asked for. */
  private record Bucket(StateKind kind, int priority, int order, Iterator<CrashState> states) {}

  /** Knows the states of a policy without making them. */
  @FunctionalInterface
  private interface Membership {
    /** How many of them are this state. */
    long times(CrashState state);
  }

  private final StatePolicy policy;
  private final BigInteger count;
  private final long passedOver;
  private final Optional<Membership> membership;
  private final Map<StateKind, Integer> chosen;
  private final PriorityQueue<Bucket> buckets = new PriorityQueue<>(LEAST_TRIED);
  private long consumed;

  /**
   * @param count how many states there are
   * @param passedOver how many more there are at most, which are not looked at
   * @param byCode the states by the code that decides
   * @param membership nothing where it takes them all to say whether a state is among them, or none
   *     of another policy can be
   * @param chosen how often states of a kind were chosen so far; read only
   */
  private Proposals(
      StatePolicy policy,
      BigInteger count,
      long passedOver,
      Map<Long, Iterator<CrashState>> byCode,
      Optional<Membership> membership,
      Map<StateKind, Integer> chosen) {
    this.policy = policy;
    this.count = count;
    this.passedOver = passedOver;
    this.membership = membership;
    this.chosen = chosen;
    byCode.forEach((code, states) -> add(new StateKind(policy, code), buckets.size(), states));
  }

  private void add(StateKind kind, int order, Iterator<CrashState> states) {
    if (states.hasNext()) {
      buckets.add(new Bucket(kind, chosen.getOrDefault(kind, 0), order, states));
    }
  }

  /**
   * What the policies of a campaign want.
   *
   * @param isEnd whether it is the end of the run, where all that one place in the code left behind
   *     is lost at once, too
   * @param chosen how often states of a kind were chosen; the caller counts what is taken
   * @param unusual code whose stores come before all others, the last one first
   */
  static List<Proposals> of(
      CrashStates states,
      ChoiceOptions options,
      boolean isEnd,
      Map<StateKind, Integer> chosen,
      UnusualCode unusual) {
    Map<StateKind, Integer> tried = unusual.isEmpty() ? chosen : untried(chosen, states, unusual);
    return of(states, options, isEnd, tried);
  }

  /**
   * The same numbers, with less than nothing for unusual code: the least for what stored last, as
   * most of what is older was in flight at other places before.
   */
  private static Map<StateKind, Integer> untried(
      Map<StateKind, Integer> chosen, CrashStates states, UnusualCode unusual) {
    Map<StateKind, Integer> tried = new HashMap<>(chosen);
    Map<StoreCode, Long> last = lastStores(states);
    List<StoreCode> codes = new ArrayList<>(states.codesOf(unusual::hasMade));
    codes.sort(Comparator.comparingLong(code -> last.getOrDefault(code, 0L)));
    for (int older = 0; older < codes.size(); older++) {
      StoreCode code = codes.get(older);
      for (StatePolicy policy : StatePolicy.values()) {
        tried.put(new StateKind(policy, code(code.stack(), code.site())), -1 - older);
      }
    }
    return tried;
  }

  /** When code stored last, where that is known one by one. */
  private static Map<StoreCode, Long> lastStores(CrashStates states) {
    Map<StoreCode, Long> last = new HashMap<>();
    if (states.isFew()) {
      for (InFlightLine line : states.lines()) {
        line.stores().forEach(store -> last.merge(store.code(), store.ordinal(), Math::max));
      }
    }
    return last;
  }

  private static List<Proposals> of(
      CrashStates states, ChoiceOptions options, boolean isEnd, Map<StateKind, Integer> chosen) {
    List<Proposals> all = new ArrayList<>();
    int lines = mostLines(states, options);
    if (options.guaranteed()) {
      CrashStatePolicy everything = new CrashStatePolicy.Guaranteed();
      Selection lost = everything.select(states);
      Membership one = state -> lost.states().filter(state::equals).count();
      all.add(alike(StatePolicy.PERSISTED_ONLY, lost, Optional.of(one), chosen));
    }
    if (options.oneLineLost()) {
      all.add(oneLineLost(states, lines, chosen));
    }
    if (options.oneLineLost() && !states.isFew()) {
      all.add(onePlaceLost(states, chosen));
    } else if (options.oneLineLost() && isEnd) {
      all.add(onePlaceLost(states.lostLines(), chosen));
    }
    if (options.oneLineEarly()) {
      all.add(oneLineEarly(states, lines, chosen));
    }
    if (options.sampled() > 0) {
      CrashStatePolicy some = new CrashStatePolicy.Sampled(options.sampled(), options.seed());
      all.add(alike(StatePolicy.SAMPLED, some.select(states), Optional.empty(), chosen));
    }
    if (options.exhaustive() > 0) {
      CrashStatePolicy every = new CrashStatePolicy.Exhaustive(options.exhaustive());
      all.add(alike(StatePolicy.EXHAUSTIVE, every.select(states), Optional.of(state -> 1), chosen));
    }
    return all;
  }

  /**
   * Nothing to judge, and how many states the default policies want at least: to count them all
   * costs more than a long run has time for at each of its places.
   */
  static Candidates atLeast(CrashStates states, ChoiceOptions options) {
    Map<StatePolicy, Long> left = new EnumMap<>(StatePolicy.class);
    if (options.guaranteed()) {
      left.put(StatePolicy.PERSISTED_ONLY, 1L);
    }
    if (options.oneLineLost()) {
      left.put(StatePolicy.ONE_LINE_LOST, states.size());
    }
    if (options.oneLineEarly() && states.size() > 1) {
      left.put(StatePolicy.EARLY_EVICTION, states.size());
    }
    if (options.sampled() > 0) {
      left.put(StatePolicy.SAMPLED, (long) options.sampled());
    }
    if (options.exhaustive() > 0) {
      left.put(StatePolicy.EXHAUSTIVE, 1L);
    }
    return new Candidates(List.of(), left);
  }

  private static int mostLines(CrashStates states, ChoiceOptions options) {
    return states.isFew()
        ? CrashStates.FEW_LINES
        : (int) Math.max(SAMPLE, Math.min(LARGEST_SAMPLE, 2L * options.perFailurePoint()));
  }

  private static Proposals alike(
      StatePolicy policy,
      Selection selection,
      Optional<Membership> membership,
      Map<StateKind, Integer> chosen) {
    return new Proposals(
        policy,
        selection.count(),
        selection.passedOver(),
        Map.of(0L, selection.states().iterator()),
        membership,
        chosen);
  }

  private static Proposals oneLineLost(
      CrashStates states, int mostLines, Map<StateKind, Integer> chosen) {
    ListMultimap<Long, Supplier<CrashState>> byCode = byCode();
    Selection selection = new CrashStatePolicy.OneLineLost(FEW_PREFIXES, mostLines).select(states);
    selection.states().forEach(state -> byCode.put(firstLost(state), () -> state));
    Membership one =
        state ->
            isOfLines(state, 1)
                ? byCode.values().stream().map(Supplier::get).filter(state::equals).count()
                : 0;
    return of(StatePolicy.ONE_LINE_LOST, byCode, selection.passedOver(), Optional.of(one), chosen);
  }

  /** Of very many lines, those are lost that a place has a store in, whichever they are. */
  private static Proposals onePlaceLost(CrashStates states, Map<StateKind, Integer> chosen) {
    ListMultimap<Long, Supplier<CrashState>> byCode = byCode();
    for (StoreCode code : states.codes()) {
      byCode.put(code(code.stack(), code.site()), () -> states.everythingLostOf(Set.of(code)));
    }
    return of(StatePolicy.ONE_PLACE_LOST, byCode, 0, Optional.empty(), chosen);
  }

  /** Each line is lost as a whole that has a store of the place in flight. */
  private static Proposals onePlaceLost(List<LineDifference> lost, Map<StateKind, Integer> chosen) {
    Map<Long, Map<Long, LineDifference>> linesByCode = new LinkedHashMap<>();
    for (LineDifference line : lost) {
      for (InFlightStore store : line.missing()) {
        linesByCode
            .computeIfAbsent(code(store), code -> new LinkedHashMap<>())
            .put(line.location(), line);
      }
    }
    ListMultimap<Long, Supplier<CrashState>> byCode = byCode();
    linesByCode.forEach((code, lines) -> byCode.put(code, () -> CrashState.of(lines.values())));
    Membership same =
        state ->
            linesByCode.values().stream()
                .filter(lines -> isOfLines(state, lines.size()))
                .filter(lines -> lines.values().containsAll(state.differences()))
                .count();
    return of(StatePolicy.ONE_PLACE_LOST, byCode, 0, Optional.of(same), chosen);
  }

  /** Each of these states is as large as all lines together, so only chosen ones are made. */
  private static Proposals oneLineEarly(
      CrashStates states, int mostLines, Map<StateKind, Integer> chosen) {
    List<LineDifference> lost =
        states.sample(mostLines).stream()
            .map(InFlightLine::guaranteed)
            .flatMap(Optional::stream)
            .toList();
    ListMultimap<Long, Supplier<CrashState>> byCode = byCode();
    if (lost.size() > 1 || !states.isFew()) {
      for (LineDifference early : lost) {
        List<InFlightStore> stores = early.line().stores();
        byCode.put(
            stores.isEmpty() ? 0 : code(stores.get(stores.size() - 1)),
            () -> CrashStatePolicy.OneLineEarly.allBut(states, lost, early));
      }
    }
    Set<LineDifference> all = Set.copyOf(lost);
    Membership allButOne =
        state ->
            !byCode.isEmpty()
                    && isOfLines(state, lost.size() - 1)
                    && all.containsAll(state.differences())
                ? 1
                : 0;
    return of(
        StatePolicy.EARLY_EVICTION,
        byCode,
        states.isFew() ? 0 : states.size() - lost.size(),
        states.isFew() ? Optional.of(allButOne) : Optional.empty(),
        chosen);
  }

  private static boolean isOfLines(CrashState state, int number) {
    return state.isFew() && state.differences().size() == number;
  }

  private static ListMultimap<Long, Supplier<CrashState>> byCode() {
    return MultimapBuilder.linkedHashKeys().arrayListValues().build();
  }

  private static Proposals of(
      StatePolicy policy,
      ListMultimap<Long, Supplier<CrashState>> byCode,
      long passedOver,
      Optional<Membership> membership,
      Map<StateKind, Integer> chosen) {
    Map<Long, Iterator<CrashState>> states = new LinkedHashMap<>();
    byCode
        .asMap()
        // A stream's iterator would make a state to say whether there is one.
        .forEach(
            (code, those) ->
                states.put(code, Iterators.transform(those.iterator(), Supplier::get)));
    return new Proposals(
        policy, BigInteger.valueOf(byCode.size()), passedOver, states, membership, chosen);
  }

  /** A store that is torn is another mistake than the same store when it is lost. */
  private static long firstLost(CrashState state) {
    return state.differences().stream()
        .flatMap(
            line ->
                line.missing().stream()
                    .map(store -> line.line().isTorn(store) ? ~code(store) : code(store)))
        .findFirst()
        .orElse(0L);
  }

  /** Stacks and sites have numbers of their own. */
  private static long code(InFlightStore store) {
    return code(store.stack(), store.site());
  }

  private static long code(int stack, int site) {
    return stack != 0 ? stack : (long) site << Integer.SIZE;
  }

  /** Whose these are. */
  StatePolicy policy() {
    return policy;
  }

  /** Whether all were taken. */
  boolean isEmpty() {
    return buckets.isEmpty();
  }

  /** Of which kind the next one is. */
  StateKind kind() {
    return buckets.element().kind();
  }

  /** Takes the next one. */
  CrashState take() {
    Bucket bucket = buckets.remove();
    CrashState state = bucket.states().next();
    consumed++;
    // It counts as one more of its kind here, also if it was chosen before.
    if (bucket.states().hasNext()) {
      int tried = Math.max(bucket.priority(), chosen.getOrDefault(bucket.kind(), 0));
      int priority = Math.max(-1, tried) + 1; // All that is unusual has its turn before.
      buckets.add(new Bucket(bucket.kind(), priority, bucket.order(), bucket.states()));
    }
    return state;
  }

  /**
   * How many were not taken, by nobody; at most, where some were not even looked at.
   *
   * @param taken all states that were, whoever wanted them
   */
  long left(Set<CrashState> taken) {
    return saturated(BigInteger.valueOf(notTaken(taken)).add(BigInteger.valueOf(passedOver)));
  }

  /** Those that were taken are among them, also if it was for another policy. */
  private long notTaken(Set<CrashState> taken) {
    if (membership.isPresent()) {
      long among = taken.stream().mapToLong(membership.get()::times).sum();
      return saturated(count.subtract(BigInteger.valueOf(among)));
    }
    return policy == StatePolicy.SAMPLED && knowsItsLines(taken) ? rest() - among(taken) : rest();
  }

  /** Else it costs much to make a state, and two that are made in different ways are not alike. */
  private static boolean knowsItsLines(Set<CrashState> taken) {
    return taken.stream().allMatch(CrashState::isFew);
  }

  private long rest() {
    return saturated(count.subtract(BigInteger.valueOf(consumed)));
  }

  /** How many of those that are left are among these. Nothing is left afterwards. */
  private long among(Set<CrashState> taken) {
    long found = 0;
    for (Bucket bucket : buckets) {
      while (bucket.states().hasNext()) {
        found += taken.contains(bucket.states().next()) ? 1 : 0;
      }
    }
    buckets.clear();
    return found;
  }

  /**
   * A number of states as it is counted: what is more than a long can hold is as much as it can.
   */
  private static long saturated(BigInteger number) {
    return number.max(BigInteger.ZERO).min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
  }
}
