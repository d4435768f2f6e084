// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Instruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Numbers for the places of a program: instruction and call stack. Equal stacks have one number,
 * although every process of the target has ids of its own for them.
 */
final class Places {
  /** No place. */
  static final int NONE = -1;

  private static final Instruction[] INSTRUCTIONS = Instruction.values();

  /** Bits of the instruction's kind; the stack's number is above them. */
  private static final int KIND_BITS = 5;

  private static final int UNKNOWN = -1;

  private static final Pattern LOCK_FUNCTION =
      Pattern.compile(
          "_*(pthread_(mutex|rwlock|cond|spin|barrier|once)|lll_|(new_)?sem_(init|post|wait|try|timed))");

  /** The store may be in a function such as memset that a lock's function calls. */
  private static final int FRAMES_IN_A_LOCK = 2;

  private final TraceTables tables;
  private final ExcludedFunctions excludedFunctions;
  private final Map<CallStack, Integer> numbers = new HashMap<>();
  private final List<CallStack> stacks = new ArrayList<>();
  private final BitSet excluded = new BitSet();
  private final BitSet locks = new BitSet();
  private int[] ofStack = new int[0];
  private int[] ofSite = new int[0];

  Places(TraceTables tables, ExcludedFunctions excludedFunctions) {
    this.tables = tables;
    this.excludedFunctions = excludedFunctions;
  }

  /**
   * The place of an event.
   *
   * @param stack as the trace numbers it; 0: there is none, so the site has to do
   */
  @SuppressWarnings("EnumOrdinal") // Lives no longer than this object.
  int of(int stack, int site, Instruction instruction) {
    return (stack == 0 ? ofSite(site) : ofStack(stack)) << KIND_BITS | instruction.ordinal();
  }

  /** The place of a store. */
  int of(InFlightStore store) {
    return of(store.stack(), store.site(), StoreFlags.instruction(store.flags()));
  }

  /** The place of a flush. */
  int of(LineHistory.Flushed flush) {
    return of(flush.stack(), flush.site(), flush.kind().instruction());
  }

  private int ofStack(int stack) {
    if (stack < ofStack.length && ofStack[stack] != UNKNOWN) {
      return ofStack[stack];
    }
    ofStack = withRoomFor(ofStack, stack);
    ofStack[stack] = number(tables.stack(stack), tables.isExcluded(stack));
    return ofStack[stack];
  }

  private int ofSite(int site) {
    if (site < ofSite.length && ofSite[site] != UNKNOWN) {
      return ofSite[site];
    }
    ofSite = withRoomFor(ofSite, site);
    ofSite[site] = number(CallStack.of(tables.frame(site)), false);
    return ofSite[site];
  }

  private static int[] withRoomFor(int[] known, int index) {
    if (index < known.length) {
      return known;
    }
    int[] longer = Arrays.copyOf(known, Math.max(2 * known.length, index + 1));
    Arrays.fill(longer, known.length, longer.length, UNKNOWN);
    return longer;
  }

  private int number(CallStack stack, boolean excludedByRecorder) {
    Integer known = numbers.get(stack);
    if (known != null) {
      return known;
    }
    int number = stacks.size();
    numbers.put(stack, number);
    stacks.add(stack);
    excluded.set(number, excludedByRecorder || excludedFunctions.exclude(stack));
    locks.set(number, isLock(stack));
    return number;
  }

  /** Whether its stack runs through an excluded function. */
  boolean isExcluded(int place) {
    return excluded.get(place >> KIND_BITS);
  }

  /**
   * Whether it is in a function of the C library that works on a lock. A lock's state is transient
   * by its nature, also where it shares a cache line with data that are flushed: libpmemobj, for
   * example, keeps mutexes in persistent memory and initialises them anew at each start.
   */
  boolean isLock(int place) {
    return locks.get(place >> KIND_BITS);
  }

  private static boolean isLock(CallStack stack) {
    return stack.frames().stream()
        .limit(FRAMES_IN_A_LOCK)
        .anyMatch(frame -> LOCK_FUNCTION.matcher(frame.function()).lookingAt());
  }

  /** Whether both have the same call stack. */
  static boolean sameStack(int place, int other) {
    return place >> KIND_BITS == other >> KIND_BITS;
  }

  private static Instruction instruction(int place) {
    return INSTRUCTIONS[place & (1 << KIND_BITS) - 1];
  }

  /** Whether the instruction is a non-temporal store. */
  static boolean isNonTemporalStore(int place) {
    return instruction(place) == Instruction.NON_TEMPORAL_STORE;
  }

  /** For a report. */
  Involved involved(Role role, int place) {
    return new Involved(role, instruction(place), stacks.get(place >> KIND_BITS));
  }
}
