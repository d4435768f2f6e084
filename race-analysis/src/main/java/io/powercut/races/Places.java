// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers for call stacks. Equal ones have one number, although every process of the target has ids
 * of its own for them.
 */
final class Places {
  /** None is known. */
  static final int NONE = -1;

  private static final Pattern LOCK_FUNCTION =
      Pattern.compile(
          "_*(pthread_(mutex|rwlock|cond|spin|barrier|once)|lll_|(new_)?sem_(init|post|wait|try|timed))");

  private static final Pattern RELEASING =
      Pattern.compile("_*(pthread_(\\w*unlock|cond_|barrier_wait)|lll_\\w*unlock|(new_)?sem_post)");

  /** What a function of a lock calls counts, too. */
  private static final int FRAMES_IN_A_LOCK = 2;

  private final TraceTables tables;
  private final ExcludedFunctions excluded;
  private final OwnLocks ownLocks;
  private final Map<CallStack, Integer> numbers = new HashMap<>();
  private final List<CallStack> stacks = new ArrayList<>();
  private final BitSet ignored = new BitSet();
  private final BitSet releasing = new BitSet();
  private final Int2IntOpenHashMap ofStack = new Int2IntOpenHashMap();
  private final Int2IntOpenHashMap ofSite = new Int2IntOpenHashMap();

  Places(TraceTables tables, ExcludedFunctions excluded, OwnLocks ownLocks) {
    this.tables = tables;
    this.excluded = excluded;
    this.ownLocks = ownLocks;
    ofStack.defaultReturnValue(NONE);
    ofSite.defaultReturnValue(NONE);
  }

  /** The place of an event; without a stack, its instruction has to do. */
  int of(int stack, int site) {
    if (stack != 0) {
      return of(stack);
    }
    int known = ofSite.get(site);
    if (known == NONE && site != 0) {
      known = number(CallStack.of(tables.frame(site)), false);
      ofSite.put(site, known);
    }
    return known;
  }

  /** The place of a call stack; {@link #NONE} for stack 0. */
  int of(int stack) {
    int known = ofStack.get(stack);
    if (known == NONE && stack != 0) {
      known = number(tables.stack(stack), tables.isExcluded(stack));
      ofStack.put(stack, known);
    }
    return known;
  }

  private int number(CallStack stack, boolean isExcluded) {
    Integer known = numbers.get(stack);
    if (known != null) {
      return known;
    }
    int number = stacks.size();
    numbers.put(stack, number);
    stacks.add(stack);
    ignored.set(
        number,
        isExcluded
            || excluded.exclude(stack)
            || ownLocks.functions().exclude(stack)
            || isIn(LOCK_FUNCTION, stack));
    releasing.set(number, isIn(RELEASING, stack) || ownLocks.releasing().exclude(stack));
    return number;
  }

  private static boolean isIn(Pattern functions, CallStack stack) {
    return stack.frames().stream()
        .limit(FRAMES_IN_A_LOCK)
        .anyMatch(frame -> functions.matcher(frame.function()).lookingAt());
  }

  /**
   * Whether it is in an excluded function, or in one of the C library that works on a lock. Such a
   * lock's state may lie in persistent memory, and is transient all the same.
   */
  boolean isIgnored(int place) {
    return place != NONE && ignored.get(place);
  }

  /**
   * Whether it is in a function that releases something. The fence in it comes before other threads
   * can go on, although the release was told when the function was entered.
   */
  boolean isReleasing(int place) {
    return place != NONE && releasing.get(place);
  }

  /** The call stack of a place. */
  Optional<CallStack> stack(int place) {
    return place == NONE ? Optional.empty() : Optional.of(stacks.get(place));
  }
}
