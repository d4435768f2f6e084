// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static com.google.common.base.Preconditions.checkArgument;

import java.math.BigInteger;
import java.util.List;

/** Which of the possible states of a point are wanted, besides that of program order. */
public sealed interface CrashStatePolicy {
  /** Chooses. The program-order state is never chosen. */
  Selection select(CrashStates states);

  /** Everything is lost that can be: one state, or none if nothing can be lost. */
  record Guaranteed() implements CrashStatePolicy {
    @Override
    public Selection select(CrashStates states) {
      return SingleLines.guaranteed(states);
    }
  }

  /**
   * Of one line, everything is lost that can be, and all other lines are as in program order: a
   * state for each line. And, where they are few, the other {@linkplain InFlightLine#prefixes
   * prefixes} of the line's stores, and its {@linkplain InFlightLine#tears tears}.
   *
   * @param fewPrefixes how many prefixes are few, and how many tears; with more prefixes, only the
   *     guaranteed content and {@linkplain InFlightLine#lastPrefix the last} are taken, and only
   *     the first of the two if this is 1; at least 1
   * @param mostLines where there are more lines, a {@linkplain CrashStates#sample sample} is taken;
   *     at least 1
   */
  record OneLineLost(int fewPrefixes, int mostLines) implements CrashStatePolicy {
    public OneLineLost {
      checkArgument(fewPrefixes >= 1, "fewPrefixes is %s, not 1 or more", fewPrefixes);
      checkArgument(mostLines >= 1, "mostLines is %s, not 1 or more", mostLines);
    }

    /** Up to {@link CrashStates#FEW_LINES} lines. */
    public OneLineLost(int fewPrefixes) {
      this(fewPrefixes, CrashStates.FEW_LINES);
    }

    @Override
    public Selection select(CrashStates states) {
      return SingleLines.lost(states, fewPrefixes, mostLines);
    }
  }

  /**
   * One line is as in program order, and of all others everything is lost that can be: a state for
   * each line, if there are at least two.
   *
   * @param mostLines where there are more lines, a {@linkplain CrashStates#sample sample} of them
   *     has states; at least 1
   */
  record OneLineEarly(int mostLines) implements CrashStatePolicy {
    public OneLineEarly {
      checkArgument(mostLines >= 1, "mostLines is %s, not 1 or more", mostLines);
    }

    /** Up to {@link CrashStates#FEW_LINES} lines. */
    public OneLineEarly() {
      this(CrashStates.FEW_LINES);
    }

    @Override
    public Selection select(CrashStates states) {
      return SingleLines.early(states, mostLines);
    }

    /**
     * One of the states.
     *
     * @param lost of {@code states}, where they are few, all lines that can lose something, with
     *     that lost
     * @param early the one of them that is as in program order
     */
    public static CrashState allBut(
        CrashStates states, List<LineDifference> lost, LineDifference early) {
      return states.isFew()
          ? CrashState.of(
              lost.stream().filter(line -> line.location() != early.location()).toList())
          : states.everythingLostBut(WholeBlocks.with(early));
    }
  }

  /**
   * Different states, each as likely as any other; all, if there are no more. With more than {@link
   * CrashStates#FEW_LINES} lines, each line loses some of its last stores, or none, and how many is
   * by chance.
   *
   * @param number how many at most; at least 1
   * @param seed the same states and the same seed give the same choice
   */
  record Sampled(int number, long seed) implements CrashStatePolicy {
    public Sampled {
      checkArgument(number >= 1, "number is %s, not 1 or more", number);
    }

    @Override
    public Selection select(CrashStates states) {
      return new Sampling(states, number, seed).selection();
    }
  }

  /**
   * All states, if not too many lines are pending; else none, and the selection says so.
   *
   * @param maxLines how many lines with more than one possible content are not too many; at least 1
   */
  record Exhaustive(int maxLines) implements CrashStatePolicy {
    public Exhaustive {
      checkArgument(maxLines >= 1, "maxLines is %s, not 1 or more", maxLines);
    }

    @Override
    public Selection select(CrashStates states) {
      long lines =
          states.isFew()
              ? states.lines().stream().filter(line -> line.contents() > 1).count()
              : states.size();
      if (lines > maxLines) {
        return Selection.refused(
            lines + " lines are pending, more than the " + maxLines + " that are explored in full");
      }
      return Selection.of(states.count().subtract(BigInteger.ONE), () -> Odometer.stream(states));
    }
  }
}
