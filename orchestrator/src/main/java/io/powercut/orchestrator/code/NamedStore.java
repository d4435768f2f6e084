// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import io.powercut.tree.source.Setters;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A store in the user's terms: what is assigned there, and the frame that is the user's code. */
public final class NamedStore {
  private static final Pattern MEMBER = Pattern.compile("(?!this\\b|self\\b).*(?:->|\\.).*");

  private NamedStore() {}

  /**
   * The store in words.
   *
   * @param variable of {@link #variable}
   */
  public static String of(List<StackFrame> stack, String variable) {
    String what = variable.isEmpty() ? "" : " to " + variable;
    String where = TargetStack.place(stack).orElse("an unknown place");
    return "the store" + what + " at " + where;
  }

  /**
   * The same of a store whose order matters: one of a function that stores and persists what it is
   * given is named after the call.
   */
  public static String called(List<StackFrame> stack, String variable) {
    Optional<StackFrame> place = UserCode.of(stack);
    int first = place.map(stack::indexOf).orElse(stack.size());
    int caller = first;
    while (caller + 1 < stack.size()
        && (caller == first ? storesOnce(stack.get(caller)) : passesOn(stack.get(caller)))) {
      caller++;
    }
    return caller == first
        ? of(stack, variable)
        : "the store%s by %s at %s"
            .formatted(
                ofMember(variable), simpleName(stack.get(caller - 1)), stack.get(caller).text());
  }

  private static boolean storesOnce(StackFrame frame) {
    return Setters.storeOnce(frame.file(), simpleName(frame), frame.line());
  }

  private static boolean passesOn(StackFrame frame) {
    return Setters.passOn(frame.file(), simpleName(frame), frame.line());
  }

  private static String simpleName(StackFrame frame) {
    return FunctionName.of(frame.function()).simple();
  }

  private static String ofMember(String variable) {
    return MEMBER.matcher(variable).matches() ? " to " + variable : "";
  }

  /**
   * What is assigned; empty when that is not certain. A line that calls what stores does not say
   * what is stored to. The line of a setter does if it names a member of what it is given.
   */
  public static String variable(List<StackFrame> stack) {
    Optional<StackFrame> place = UserCode.of(stack);
    if (place.isEmpty() || UserCode.isOfSystem(stack.get(0).file())) {
      return "";
    }
    String variable = AssignedVariable.at(stack.get(0));
    return place.get().equals(stack.get(0)) || MEMBER.matcher(variable).matches() ? variable : "";
  }
}
