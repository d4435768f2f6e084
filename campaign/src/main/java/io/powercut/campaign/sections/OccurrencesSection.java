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
                "How many of the first occurrences. With one of `first`, `last` and `random` these three decide, 1, 0"
                    + " and 0 being what is not said; with none, Powercut chooses what is new.",
            min = "0",
            max = "1000000",
            example = "3")
        Optional<Integer> first,
    @Key(value = "How many of the last occurrences.", min = "0", max = "1000000", example = "2")
        Optional<Integer> last,
    @Key(
            value = "How many occurrences by chance from between.",
            min = "0",
            max = "1000000",
            example = "5")
        Optional<Integer> random,
    @Key(
            value =
                "When Powercut chooses: how much longer injection may take for further occurrences by chance, in percent"
                    + " of what it took so far, and 3 seconds at least. 0: none.",
            defaultValue = "5",
            min = "0",
            max = "100000")
        int share,
    @Key(
            value =
                "What the chance begins with: the same seed and the same run give the same occurrences.",
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
      throw new IllegalArgumentException(
          "asks for no occurrence at all; write for example first: 1");
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

  /** How many occurrences by chance are judged in any case. */
  public int byChance() {
    return random.orElse(0);
  }

  /** Whether which occurrences are wanted is known only when the run is over. */
  public boolean needsWholeRun() {
    return lasts() > 0 || byChance() > 0;
  }

  /** Whether a run that judges the first occurrence of each failure point does what is asked. */
  public boolean isDoneByTheFirst() {
    return isLeftToPowercut() || (firsts() == 1 && !needsWholeRun());
  }
}
