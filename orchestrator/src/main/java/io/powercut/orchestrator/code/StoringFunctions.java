// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FunctionName;
import io.powercut.tree.source.Setters;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The functions that stored to persistent memory, or called one that did. The others only persist
 * what their callers stored, whatever they are called: that the order of stores is wrong is not
 * their mistake. Nor is it that of a function that stores and persists what it is given.
 */
public final class StoringFunctions implements TraceConsumer {
  private final TraceTables tables;
  private final BitSet stacks = new BitSet();
  private Set<Function> functions = Set.of();
  private int stacksLookedAt;

  /** A function of a binary. */
  private record Function(String name, String module) {
    static Function of(StackFrame frame) {
      return new Function(frame.function(), frame.module());
    }
  }

  public StoringFunctions(TraceTables tables) {
    this.tables = tables;
  }

  @Override
  public void store(StoreRecord store) {
    stacks.set(store.stack());
  }

  /**
   * A call stack without the functions that only persist, at its inner end, nor those that store
   * and persist what they are given. It is as it was if the trace has no call stacks of stores, or
   * if only such functions are in it.
   *
   * @param stack innermost first
   */
  public List<StackFrame> withoutThoseThatOnlyPersist(List<StackFrame> stack) {
    Set<Function> known = functions();
    for (int frame = 0; frame < stack.size(); frame++) {
      Function function = Function.of(stack.get(frame));
      if (function.name().isEmpty() || (known.contains(function) && !isForOthers(stack, frame))) {
        return stack.subList(frame, stack.size());
      }
    }
    return stack;
  }

  private static boolean isForOthers(List<StackFrame> stack, int frame) {
    StackFrame one = stack.get(frame);
    return frame + 1 < stack.size()
        && Setters.mayPersist(one.file(), FunctionName.of(one.function()).simple());
  }

  private Set<Function> functions() {
    int count = stacks.cardinality();
    if (stacksLookedAt != count) {
      functions =
          stacks.stream()
              .filter(number -> number != 0)
              .mapToObj(tables::stack)
              .flatMap(stack -> TargetStack.of(stack).stream())
              .map(Function::of)
              .collect(Collectors.toUnmodifiableSet());
      stacksLookedAt = count;
    }
    return functions;
  }
}
