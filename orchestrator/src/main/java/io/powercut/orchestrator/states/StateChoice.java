package io.powercut.orchestrator.states;

import io.powercut.orchestrator.campaign.CrashStatesSection;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PendingStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Chooses the states that are judged at each failure point of a run. Where the policies have more
 * than the budget allows, those come first whose lost or early store comes from the code that was
 * tried least often: as with failure points, each code path is worth the same, however often it
 * runs. The first failure points, and code that was never tried, may exceed the budget, but only so
 * often in a run.
 *
 * <p>The choice at a failure point depends on those before it, so all failure points have to be
 * asked for in the order of the trace. Not safe for use by several threads.
 */
public final class StateChoice {
  /** A line with more prefixes than this is lost as a whole only. */
  private static final int FEW_PREFIXES = 8;

  /**
   * States of the whole run beyond the budget of their failure points: so short runs try nearly
   * all, and long ones hardly cost more.
   */
  private static final int EXTRA = 64;

  /** So many have to be at one failure point to end that. */
  private static final int EXTRA_AT_ONE = 16;

  private final CrashStatesSection section;
  private int extra = EXTRA;
  private int extraOfNewCode = EXTRA;

  /** How often states of a kind were chosen. */
  private final Map<Kind, Integer> chosen = new HashMap<>();

  /**
   * @param section what the campaign wants; its limit for the whole run is not looked at here
   */
  public StateChoice(CrashStatesSection section) {
    this.section = section;
  }

  /**
   * What makes states alike.
   *
   * @param code the call stack of the store that decides, or its site when there is no stack
   */
  private record Kind(StatePolicy policy, long code) {}

  /** States of one kind that could be chosen; each is made when it is. */
  private record Bucket(
      Kind kind, int priority, int order, Deque<Supplier<CrashState>> proposals) {}

  /** The states to judge at the next failure point, each once. */
  public List<Candidate> choose(CrashStates states) {
    if (states.lines().isEmpty()) {
      return List.of();
    }
    PriorityQueue<Bucket> buckets =
        new PriorityQueue<>(
            Comparator.comparingInt(Bucket::priority).thenComparingInt(Bucket::order));
    int order = 0;
    for (Map.Entry<Kind, Deque<Supplier<CrashState>>> entry : proposals(states).entrySet()) {
      buckets.add(new Bucket(entry.getKey(), priority(entry.getKey()), order++, entry.getValue()));
    }
    Set<CrashState> taken = new HashSet<>();
    List<Candidate> candidates = new ArrayList<>();
    while (!buckets.isEmpty() && isAllowed(candidates.size(), buckets.peek())) {
      Bucket bucket = buckets.remove();
      CrashState state = bucket.proposals().remove().get();
      if (taken.add(state)) {
        candidates.add(new Candidate(bucket.kind().policy(), state));
        chosen.merge(bucket.kind(), 1, Integer::sum);
      }
      if (!bucket.proposals().isEmpty()) {
        buckets.add(
            new Bucket(bucket.kind(), priority(bucket.kind()), bucket.order(), bucket.proposals()));
      }
    }
    return candidates;
  }

  private boolean isAllowed(int soFar, Bucket next) {
    if (soFar < section.perFailurePoint()) {
      return true;
    }
    boolean isNew = !chosen.containsKey(next.kind());
    return (isNew && extraOfNewCode-- > 0) || (soFar < EXTRA_AT_ONE && extra-- > 0);
  }

  /** That everything is lost comes first always: it shows most of what is never persisted. */
  private int priority(Kind kind) {
    return kind.policy() == StatePolicy.GUARANTEED ? -1 : chosen.getOrDefault(kind, 0);
  }

  private Map<Kind, Deque<Supplier<CrashState>>> proposals(CrashStates states) {
    Map<Kind, Deque<Supplier<CrashState>>> proposals = new LinkedHashMap<>();
    if (section.guaranteed()) {
      new CrashStatePolicy.Guaranteed()
          .select(states)
          .states()
          .forEach(state -> add(proposals, StatePolicy.GUARANTEED, 0, () -> state));
    }
    if (section.oneLineLost()) {
      new CrashStatePolicy.OneLineLost(FEW_PREFIXES)
          .select(states)
          .states()
          .forEach(
              state -> add(proposals, StatePolicy.ONE_LINE_LOST, firstLost(state), () -> state));
    }
    if (section.oneLineEarly()) {
      addEarly(proposals, states.lostLines());
    }
    if (section.sampled() > 0) {
      new CrashStatePolicy.Sampled(section.sampled(), section.seed())
          .select(states)
          .states()
          .forEach(state -> add(proposals, StatePolicy.SAMPLED, 0, () -> state));
    }
    if (section.exhaustive() > 0) {
      new CrashStatePolicy.Exhaustive(section.exhaustive())
          .select(states)
          .states()
          .limit(section.perFailurePoint())
          .forEach(state -> add(proposals, StatePolicy.EXHAUSTIVE, 0, () -> state));
    }
    return proposals;
  }

  /** Each of these states is as large as all lines together, so only chosen ones are made. */
  private static void addEarly(
      Map<Kind, Deque<Supplier<CrashState>>> proposals, List<LineDifference> lost) {
    for (int index = 0; lost.size() > 1 && index < lost.size(); index++) {
      List<PendingStore> stores = lost.get(index).line().stores();
      long code = stores.isEmpty() ? 0 : code(stores.get(stores.size() - 1));
      int early = index;
      add(
          proposals,
          StatePolicy.ONE_LINE_EARLY,
          code,
          () -> CrashStatePolicy.OneLineEarly.allBut(lost, early));
    }
  }

  private static void add(
      Map<Kind, Deque<Supplier<CrashState>>> proposals,
      StatePolicy policy,
      long code,
      Supplier<CrashState> state) {
    proposals.computeIfAbsent(new Kind(policy, code), kind -> new ArrayDeque<>()).add(state);
  }

  private static long firstLost(CrashState state) {
    return state.missing().stream().findFirst().map(StateChoice::code).orElse(0L);
  }

  /** Stacks and sites have numbers of their own. */
  private static long code(PendingStore store) {
    return store.stack() != 0 ? store.stack() : (long) store.site() << Integer.SIZE;
  }
}
