// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.WholeBlocks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the states that are judged at each failure point of a run. The state in which everything
 * is lost comes first; then the policies take turns, and which of them begins changes from failure
 * point to failure point, so each gets its share however much another one asks for. Of one policy,
 * those states come first whose lost or early store comes from the code that was tried least often:
 * as with failure points, each code path is worth the same, however often it runs. The first
 * failure points, and code that was never tried, may exceed the budget, but only so often in a run.
 * In the rest of a long run most places get one state or none, so that it takes hardly longer than
 * with program order alone.
 *
 * <p>The choice at a failure point depends on those before it, so all failure points have to be
 * asked for in the order of the trace. Not safe for use by several threads.
 */
public final class StateChoice {
  /**
   * States of the whole run beyond the budget of their failure points: so short runs try nearly
   * all, and long ones hardly cost more.
   */
  private static final int EXTRA = 64;

  /** So many have to be at one failure point to end that. */
  private static final int EXTRA_AT_ONE = 16;

  /** Occurrences for which there happened to be time get this part of the whole shares. */
  private static final int PART_OF_FURTHER = 4;

  /**
   * All others together get this part of theirs: a recovery for about each second image of program
   * order, as more than half of the states need none.
   */
  private static final int PART_OF_OTHERS = 8;

  /** At last occurrences, in the whole run. */
  private static final int MOST_AT_LAST = 16;

  /** At the end of the run. */
  private static final int MOST_AT_END = 48;

  /** In start-up: this part of the usual share. */
  private static final int START_UP_PART = 4;

  private final ChoiceOptions options;
  private final int wholeShares;
  private int extra = EXTRA;
  private int extraOfNewCode = EXTRA;
  private int leftAtLast = MOST_AT_LAST;
  private int turn;

  /** Within the budgets, at all places but the end of the run. */
  private long taken;

  /** How many these were. */
  private long places;

  /** How often states of a kind were chosen. */
  private final Map<StateKind, Integer> chosen = new HashMap<>();

  /**
   * @param options what is wanted
   */
  public StateChoice(ChoiceOptions options) {
    this(options, options.wholeShares());
  }

  private StateChoice(ChoiceOptions options, int wholeShares) {
    this.options = options;
    this.wholeShares = wholeShares;
  }

  /**
   * The choice at occurrences for which there happened to be time: those that a run judges in any
   * case must not depend on it.
   *
   * @param options what is wanted
   */
  public static StateChoice ofFurther(ChoiceOptions options) {
    return new StateChoice(options, options.wholeShares() / PART_OF_FURTHER);
  }

  /** The states to judge at the next place, each once. */
  public Candidates choose(CrashStates states, StateShare share) {
    return choose(states, share, UnusualCode.NONE);
  }

  /**
   * The states to judge at the next place, each once.
   *
   * @param unusual code whose stores are in flight there and usually are not: of one policy, their
   *     loss or early arrival comes first
   */
  public Candidates choose(CrashStates states, StateShare share, UnusualCode unusual) {
    if (states.isEmpty()) {
      return Candidates.NONE;
    }
    boolean isShared = share != StateShare.END;
    places += isShared ? 1 : 0;
    boolean isLong = isShared && unusual.isEmpty() && taken >= wholeSharesOfRun();
    long budget = isLong ? Math.min(budget(share), left()) : budget(share);
    if (isLong && budget == 0 && !mayExceed(share)) {
      return Proposals.atLeast(states, options);
    }
    List<Proposals> all = Proposals.of(states, options, share == StateShare.END, chosen, unusual);
    List<Proposals> waiting = new ArrayList<>(inTurn(all, isLong));
    WholeBlocks blocks = new WholeBlocks(states);
    Set<CrashState> taken = new HashSet<>();
    Set<CrashState> whole = new HashSet<>();
    List<Candidate> candidates = new ArrayList<>();
    while (!waiting.isEmpty()) {
      Proposals next = waiting.remove(0);
      if (next.isEmpty() || !isAllowed(candidates.size(), next, share, budget)) {
        continue;
      }
      StateKind kind = next.kind();
      CrashState proposed = next.take();
      CrashState state = blocks.whole(proposed);
      taken.add(proposed); // Where it tears a block, the other one stands for it.
      if (whole.add(state) && (state.equals(proposed) || !state.isProgramOrder())) {
        candidates.add(new Candidate(kind.policy(), state));
        chosen.merge(kind, 1, Integer::sum);
        waiting.add(next);
      } else {
        waiting.add(0, next); // It was another policy's, too: that was no turn.
      }
    }
    this.taken += isShared ? Math.min(budget, candidates.size()) : 0;
    leftAtLast -= share == StateShare.LAST ? candidates.size() : 0;
    Map<StatePolicy, Long> left = new HashMap<>();
    for (Proposals one : all) {
      long count = one.left(taken);
      if (count > 0) {
        left.put(one.policy(), count);
      }
    }
    return new Candidates(candidates, left);
  }

  private long wholeSharesOfRun() {
    return (long) wholeShares * options.perFailurePoint();
  }

  /** How many states a long run still may take. */
  private long left() {
    return Math.max(
        0, wholeSharesOfRun() + places * options.perFailurePoint() / PART_OF_OTHERS - taken);
  }

  /**
   * That everything is lost comes first: it shows most of what is never persisted. In the rest of a
   * long run it takes its turn, as most places have one state there or none.
   */
  private List<Proposals> inTurn(List<Proposals> all, boolean isLong) {
    List<Proposals> first = new ArrayList<>();
    List<Proposals> others = new ArrayList<>();
    for (Proposals one : all) {
      (one.policy() == StatePolicy.PERSISTED_ONLY && !isLong ? first : others).add(one);
    }
    if (!others.isEmpty()) {
      Collections.rotate(others, -(turn++ % others.size()));
    }
    first.addAll(others);
    return first;
  }

  private boolean isAllowed(int soFar, Proposals next, StateShare share, long budget) {
    if (soFar < budget) {
      return true;
    }
    if (!mayExceed(share)) {
      return false;
    }
    boolean isNew = !chosen.containsKey(next.kind());
    return (isNew && extraOfNewCode-- > 0) || (soFar < EXTRA_AT_ONE && extra-- > 0);
  }

  private boolean mayExceed(StateShare share) {
    return share == StateShare.USUAL && (extra > 0 || extraOfNewCode > 0);
  }

  private int budget(StateShare share) {
    int usual = options.perFailurePoint();
    return switch (share) {
      case START_UP -> Math.max(1, usual / START_UP_PART);
      case USUAL, FURTHER -> usual;
      case LAST -> leftAtLast > 0 ? 1 : 0;
      case END -> Math.max(usual, MOST_AT_END);
    };
  }
}
