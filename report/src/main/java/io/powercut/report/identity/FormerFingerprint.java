// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.Fingerprint;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fingerprints that findings had before they were made of the code to fix: of a kind and of all
 * functions of a stack. Baselines and histories may still have them.
 */
public final class FormerFingerprint {
  private static final String LOST_STORE = "LOST_STORE";
  private static final String SECOND_CRASH = "SECOND_CRASH";

  private FormerFingerprint() {}

  /**
   * Of a program-order image, or a pattern.
   *
   * @param kind the verdict's or the pattern's
   */
  public static String of(String kind, List<StackFrame> stack) {
    return Fingerprint.ofFunctions(
            withoutInlined(stack).stream()
                .map(one -> Fingerprint.name(one.function(), one.module()))
                .toList(),
            kind)
        .toString();
  }

  /** What was inlined was not known then. A recursive call has the same name at its address. */
  private static List<StackFrame> withoutInlined(List<StackFrame> stack) {
    return IntStream.range(0, stack.size())
        .filter(
            index ->
                index + 1 == stack.size() || !isInlined(stack.get(index), stack.get(index + 1)))
        .mapToObj(stack::get)
        .toList();
  }

  private static boolean isInlined(StackFrame frame, StackFrame caller) {
    return frame.module().equals(caller.module())
        && frame.offset().equals(caller.offset())
        && !frame.offset().isEmpty()
        && !frame.function().equals(caller.function());
  }

  /** Of a crash state that lost a store made there. */
  public static String ofLostStore(List<StackFrame> stack) {
    return of(LOST_STORE, stack);
  }

  /** Of recovery that was cut there. */
  public static String ofRecoveryCrash(List<StackFrame> recovery) {
    return of(SECOND_CRASH, recovery);
  }
}
