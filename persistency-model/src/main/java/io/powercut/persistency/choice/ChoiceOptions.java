// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

/**
 * Which crash states are wanted.
 *
 * @param guaranteed whether the state in which everything is lost that can be
 * @param oneLineLost whether those with one line lost
 * @param oneLineEarly whether those with all lines lost but one
 * @param sampled how many by chance at each failure point
 * @param seed what the chance begins with
 * @param exhaustive with at most so many lines in flight, all of them; 0: never
 * @param perFailurePoint how many are judged at one failure point
 * @param wholeShares at how many failure points of a run that many are
 */
public record ChoiceOptions(
    boolean guaranteed,
    boolean oneLineLost,
    boolean oneLineEarly,
    int sampled,
    int seed,
    int exhaustive,
    int perFailurePoint,
    int wholeShares) {
  /** In a run whose recovery takes long. */
  public static final int FEW_WHOLE_SHARES = 64;

  /** In one whose recovery is short. */
  public static final int MANY_WHOLE_SHARES = 256;

  /** The same with another number of whole shares. */
  public ChoiceOptions withWholeShares(int number) {
    return new ChoiceOptions(
        guaranteed, oneLineLost, oneLineEarly, sampled, seed, exhaustive, perFailurePoint, number);
  }
}
