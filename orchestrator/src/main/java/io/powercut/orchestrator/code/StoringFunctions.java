// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import io.powercut.tree.source.Setters;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions that stored to persistent memory, or called one that did. The others only persist
 * what their callers stored, whatever they are called: that the order of stores is wrong is not
 * their mistake. Nor is it that of a function that makes a single store, such as one that stores
 * and persists what it is given, or one that sets a flag. Nor is it that of one that only begins or
 * ends a transaction, or persists, and may run what it is given.
 */
public final class StoringFunctions implements TraceConsumer {
  private final TraceTables tables;
  private final BitSet stacks = new BitSet();
  private Set<Function> functions = Set.of();

  /** Those that called one that stored. */
  private Set<Function> callers = Set.of();

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
   * A call stack without the functions that only persist, at its inner end, nor those that make a
   * single store. It is as it was if the trace has no call stacks of stores, or if only such
   * functions are in it.
   *
   * @param stack innermost first
   */
  public List<StackFrame> withoutThoseThatOnlyPersist(List<StackFrame> stack) {
    Set<Function> known = functions();
    for (int frame = 0; frame < stack.size(); frame++) {
      Function function = Function.of(stack.get(frame));
      if (isUnknown(function) || (known.contains(function) && !isForOthers(stack, frame))) {
        return stack.subList(frame, stack.size());
      }
    }
    return stack;
  }

  /** Functions of a stripped library that only persists, such as libpmem, need no names. */
  private static boolean isUnknown(Function function) {
    return function.name().isEmpty() && !UserCode.isSystemModule(function.module());
  }

  private boolean isForOthers(List<StackFrame> stack, int frame) {
    StackFrame one = stack.get(frame);
    String name = FunctionName.of(one.function()).simple();
    return frame + 1 < stack.size()
        && (!UserCode.isOfProgram(one)
            || Setters.areTransactions(one.file(), name, one.line())
            || Setters.onlyPersist(one.file(), name, one.line())
            || Setters.passOn(one.file(), name, one.line())
            || (!callers.contains(Function.of(one))
                && (Setters.mayPersist(one.file(), name, one.line())
                    || Setters.makeOneStore(one.file(), name, one.line()))));
  }

  private Set<Function> functions() {
    int count = stacks.cardinality();
    if (stacksLookedAt != count) {
      List<List<StackFrame>> known =
          stacks.stream()
              .filter(number -> number != 0)
              .mapToObj(number -> TargetStack.of(tables.stack(number)))
              .toList();
      functions = functionsOf(known.stream());
      callers = functionsOf(known.stream().map(StoringFunctions::callersIn));
      stacksLookedAt = count;
    }
    return functions;
  }

  /** What called the innermost function whose source there is. */
  private static List<StackFrame> callersIn(List<StackFrame> stack) {
    return stack.stream()
        .dropWhile(frame -> frame.file().isEmpty() || UserCode.isOfSystem(frame.file()))
        .skip(1)
        .toList();
  }

  private static Set<Function> functionsOf(Stream<List<StackFrame>> stacks) {
    return stacks.flatMap(List::stream).map(Function::of).collect(Collectors.toUnmodifiableSet());
  }
}
