// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.facts;

import java.util.regex.Pattern;

/**
 * An order of threads in which the target failed, without any crash.
 *
 * @param policy {@code schedule.policy} of it
 * @param seed {@code schedule.seed} of it
 * @param problem how the target failed; several lines, with what it printed
 * @param times in how many orders it failed so
 */
public record FailedOrder(String policy, long seed, String problem, int times) {
  /** Behind the first sentence, or the stack that follows it. */
  private static final Pattern REST = Pattern.compile("(, here:|\\.)(\\s.*)?$", Pattern.DOTALL);

  /** The same, seen once more. */
  public FailedOrder again() {
    return new FailedOrder(policy, seed, problem, times + 1);
  }

  /** What repeats it: options of {@code powercut races}. */
  public String options() {
    return "--set schedule.policy=%s --set schedule.seed=%d --set races.runs=1"
        .formatted(policy, seed);
  }

  /** In which orders that was. */
  public String orders() {
    return times == 1 ? "in another order of threads" : "in " + times + " other orders of threads";
  }

  /** In words, without what the target printed. */
  public String inWords() {
    String line = problem.lines().findFirst().orElse("");
    return orders() + ", " + REST.matcher(line).replaceFirst("");
  }
}
