// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
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

  /** Behind so many states of a run, a failure point gets half of the usual share. */
  private static final int MANY = 1000;

  /** At last occurrences, in the whole run. */
  private static final int MOST_AT_LAST = 16;

  /** At the end of the run. */
  private static final int MOST_AT_END = 48;

  /** In start-up: this part of the usual share. */
  private static final int START_UP_PART = 4;

  private final ChoiceOptions options;
  private int extra = EXTRA;
  private int extraOfNewCode = EXTRA;
  private int leftAtLast = MOST_AT_LAST;
  private int turn;
  private long taken;

  /** How often states of a kind were chosen. */
  private final Map<StateKind, Integer> chosen = new HashMap<>();

  /**
   * @param options what is wanted
   */
  public StateChoice(ChoiceOptions options) {
    this.options = options;
  }

  /** The states to judge at the next place, each once. */
  public Candidates choose(CrashStates states, StateShare share) {
    return choose(states, share, Set.of());
  }

  /**
   * The states to judge at the next place, each once.
   *
   * @param unusual instructions whose stores are in flight there and usually are not: of one
   *     policy, their loss or early arrival comes first
   */
  public Candidates choose(CrashStates states, StateShare share, Set<Integer> unusual) {
    if (states.isEmpty()) {
      return Candidates.NONE;
    }
    List<Proposals> all = Proposals.of(states, options, share == StateShare.END, chosen, unusual);
    List<Proposals> waiting = new ArrayList<>(inTurn(all));
    Set<CrashState> taken = new HashSet<>();
    List<Candidate> candidates = new ArrayList<>();
    while (!waiting.isEmpty()) {
      Proposals next = waiting.remove(0);
      if (next.isEmpty() || !isAllowed(candidates.size(), next, share)) {
        continue;
      }
      StateKind kind = next.kind();
      CrashState state = next.take();
      if (taken.add(state)) {
        candidates.add(new Candidate(kind.policy(), state));
        chosen.merge(kind, 1, Integer::sum);
        waiting.add(next);
      } else {
        waiting.add(0, next); // It was another policy's, too: that was no turn.
      }
    }
    this.taken += candidates.size();
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

  /** That everything is lost comes first always: it shows most of what is never persisted. */
  private List<Proposals> inTurn(List<Proposals> all) {
    List<Proposals> first = new ArrayList<>();
    List<Proposals> others = new ArrayList<>();
    for (Proposals one : all) {
      (one.policy() == StatePolicy.PERSISTED_ONLY ? first : others).add(one);
    }
    if (!others.isEmpty()) {
      Collections.rotate(others, -(turn++ % others.size()));
    }
    first.addAll(others);
    return first;
  }

  private boolean isAllowed(int soFar, Proposals next, StateShare share) {
    boolean isNew = !chosen.containsKey(next.kind());
    boolean isHalved = taken >= MANY && share != StateShare.END;
    if (soFar < (isHalved ? (budget(share) + 1) / 2 : budget(share))) {
      return true;
    }
    if (share != StateShare.USUAL) {
      return false;
    }
    return (isNew && extraOfNewCode-- > 0) || (soFar < EXTRA_AT_ONE && extra-- > 0);
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
