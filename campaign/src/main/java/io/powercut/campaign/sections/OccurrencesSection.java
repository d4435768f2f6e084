// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import java.util.Optional;

/**
 * Which occurrences of each failure point are judged. Without {@code first}, {@code last} and
 * {@code random} Powercut chooses.
 */
public record OccurrencesSection(
    @Key(
            value =
                "How many of the first occurrences. If any of `first`, `last` and `random` is set, only"
                    + " these three count, with defaults of 1, 0 and 0. Otherwise Powercut chooses occurrences"
                    + " that are new.",
            min = "0",
            max = "1000000",
            example = "3")
        Optional<Integer> first,
    @Key(value = "How many of the last occurrences.", min = "0", max = "1000000", example = "2")
        Optional<Integer> last,
    @Key(
            value = "How many random occurrences in between.",
            min = "0",
            max = "1000000",
            example = "5")
        Optional<Integer> random,
    @Key(
            value =
                "When Powercut chooses: the time for further random occurrences, in percent of the time"
                    + " that injection took so far; at least 3 seconds. 0: none.",
            defaultValue = "5",
            min = "0",
            max = "100000")
        int share,
    @Key(
            value =
                "The seed of the random choice. The same seed and the same run give the same occurrences.",
            defaultValue = "1",
            min = "0",
            max = "999999999")
        int seed) {

  /** Only the first occurrence, as in the Mumak paper. */
  public static final OccurrencesSection FIRST =
      new OccurrencesSection(Optional.of(1), Optional.empty(), Optional.empty(), 0, 1);

  public OccurrencesSection {
    requireNonNull(first, "first is null");
    requireNonNull(last, "last is null");
    requireNonNull(random, "random is null");
    if (first.or(() -> last).or(() -> random).isPresent()
        && first.orElse(1) + last.orElse(0) + random.orElse(0) == 0) {
      throw new IllegalArgumentException("selects no occurrence; write for example first: 1");
    }
  }

  /** Whether Powercut chooses. */
  public boolean isLeftToPowercut() {
    return first.isEmpty() && last.isEmpty() && random.isEmpty();
  }

  /** How many of the first occurrences are judged in any case. */
  public int firsts() {
    return first.orElse(1);
  }

  /** How many of the last occurrences are judged in any case. */
  public int lasts() {
    return last.orElse(isLeftToPowercut() ? 1 : 0);
  }

  /** How many occurrences at random are judged in any case. */
  public int byChance() {
    return random.orElse(0);
  }

  /** Whether which occurrences are wanted is known only when the run is over. */
  public boolean needsWholeRun() {
    return lasts() > 0 || byChance() > 0;
  }

  /** Whether a run that judges the first occurrence of each failure point does what is wanted. */
  public boolean isDoneByTheFirst() {
    return isLeftToPowercut() || (firsts() == 1 && !needsWholeRun());
  }
}
