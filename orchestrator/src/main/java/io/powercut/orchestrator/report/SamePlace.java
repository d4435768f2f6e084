package io.powercut.orchestrator.report;

import java.util.List;

/**
 * Whether two call stacks are at one place: in the same function, called in the same way. What that
 * function calls in other source files, such as {@code memcpy} or {@code pmem_persist}, does not
 * count.
 */
public final class SamePlace {
  private SamePlace() {}

  /** Compares two stacks, innermost frames first. */
  public static boolean of(List<StackFrame> one, List<StackFrame> other) {
    int common = 0;
    while (common < one.size()
        && common < other.size()
        && fromOutside(one, common).function().equals(fromOutside(other, common).function())) {
      common++;
    }
    if (common == 0) {
      return false;
    }
    String file = fromOutside(one, common - 1).file();
    return !file.isEmpty() && leaves(one, common, file) && leaves(other, common, file);
  }

  private static StackFrame fromOutside(List<StackFrame> stack, int index) {
    return stack.get(stack.size() - 1 - index);
  }

  /** Whether all frames inside the common ones are in other files. */
  private static boolean leaves(List<StackFrame> stack, int common, String file) {
    return stack.subList(0, stack.size() - common).stream()
        .noneMatch(frame -> frame.file().equals(file));
  }
}
