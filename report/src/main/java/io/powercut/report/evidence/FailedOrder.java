// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

/**
 * An order of threads in which the target failed, without any crash.
 *
 * @param policy {@code schedule.policy} of it
 * @param seed {@code schedule.seed} of it
 * @param problem how the target failed; several lines, with what it printed
 */
public record FailedOrder(String policy, long seed, String problem) {
  /** What repeats it: options of {@code powercut races}. */
  public String options() {
    return "--set schedule.policy=%s --set schedule.seed=%d --set races.runs=1"
        .formatted(policy, seed);
  }

  /** In words: the first sentence of the problem. */
  public String inWords() {
    return "policy %s, seed %d: %s".formatted(policy, seed, problem.split("(?<=\\.)\\s", 2)[0]);
  }
}
