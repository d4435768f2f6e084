// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.UserCode;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The code of each call stack. Equal stacks have one, although every process of the target has ids
 * of its own for them.
 */
final class Places {
  private static final Pattern LOCK_FUNCTION =
      Pattern.compile(
          "_*(pthread_(mutex|rwlock|cond|spin|barrier)|lll_|(new_)?sem_(init|post|wait|try|timed))");

  /** Those of libpmemobj work on the locks in a pool, however deep below. */
  private static final Pattern LOCK_FUNCTION_OF_PMDK =
      Pattern.compile("pmemobj_(mutex_|rwlock_|cond_|tx_x?lock)");

  /** Apart from the others since it calls code of the user's. */
  private static final Pattern ONCE = Pattern.compile("_*pthread_once");

  private static final Pattern RELEASING =
      Pattern.compile("_*(pthread_(\\w*unlock|cond_|barrier_wait)|lll_\\w*unlock|(new_)?sem_post)");

  /** What a function of a lock calls counts, too. */
  private static final int FRAMES_IN_A_LOCK = 2;

  private final TraceTables tables;
  private final ExcludedFunctions excluded;
  private final OwnLocks ownLocks;
  private final Map<CallStack, Code> codes = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final Int2ObjectOpenHashMap<Code> ofStack = new Int2ObjectOpenHashMap<>();
  private final Int2ObjectOpenHashMap<Code> ofSite = new Int2ObjectOpenHashMap<>();

  Places(TraceTables tables, ExcludedFunctions excluded, OwnLocks ownLocks) {
    this.tables = tables;
    this.excluded = excluded;
    this.ownLocks = ownLocks;
  }

  /** The code of an event; without a stack, its instruction has to do. */
  Code of(int stack, int site) {
    if (stack != 0 || site == 0) {
      return of(stack);
    }
    Code known = ofSite.get(site);
    if (known == null) {
      known = code(CallStack.of(tables.frame(site)), false);
      ofSite.put(site, known);
    }
    return known;
  }

  /** The code of a call stack; unknown for stack 0. */
  Code of(int stack) {
    if (stack == 0) {
      return Code.UNKNOWN;
    }
    Code known = ofStack.get(stack);
    if (known == null) {
      known = code(tables.stack(stack), tables.isExcluded(stack));
      ofStack.put(stack, known);
    }
    return known;
  }

  private Code code(CallStack stack, boolean isExcluded) {
    return codes.computeIfAbsent(
        stack,
        fresh ->
            new Code(
                Optional.of(fresh),
                places.computeIfAbsent(UserCode.placeOf(fresh).identity(), key -> places.size()),
                isExcluded || excluded.exclude(fresh) || worksOnALock(fresh),
                fresh.innermost().module().startsWith("libpmemobj.so"),
                isIn(RELEASING, fresh, FRAMES_IN_A_LOCK) || ownLocks.releasing().exclude(fresh)));
  }

  private boolean worksOnALock(CallStack stack) {
    return ownLocks.functions().exclude(stack)
        || isIn(LOCK_FUNCTION, stack, FRAMES_IN_A_LOCK)
        || isIn(LOCK_FUNCTION_OF_PMDK, stack, Integer.MAX_VALUE)
        || ONCE.matcher(stack.innermost().function()).lookingAt();
  }

  private static boolean isIn(Pattern functions, CallStack stack, int innermost) {
    return stack.frames().stream()
        .limit(innermost)
        .anyMatch(frame -> functions.matcher(frame.function()).lookingAt());
  }
}
