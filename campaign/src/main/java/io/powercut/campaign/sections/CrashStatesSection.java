package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.persistency.choice.ChoiceOptions;
import java.util.Optional;

/** Which crash states beyond program order are judged. */
public record CrashStatesSection(
    @Key(
            value =
                "Judge such states. Every failure point whose image of program order is consistent is explored.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            value =
                "The state that holds only what is guaranteed: everything that was not flushed and fenced is lost.",
            defaultValue = "true")
        boolean guaranteed,
    @Key(
            value =
                "One cache line lost at a time: all of what can be lost of it and, where they are few, each part of"
                    + " its stores.",
            defaultValue = "true")
        boolean oneLineLost,
    @Key(
            value = "One cache line early at a time: all others lose what can be lost.",
            defaultValue = "true")
        boolean oneLineEarly,
    @Key(
            value =
                "How many states by chance at each failure point, out of all that are possible.",
            defaultValue = "0",
            min = "0",
            max = "1000000")
        int sampled,
    @Key(
            value =
                "What the chance begins with: the same seed and the same run give the same states.",
            defaultValue = "1",
            min = "0",
            max = "999999999")
        int seed,
    @Key(
            value =
                "All states, at failure points with at most this many cache lines of which something can be lost."
                    + " 0: nowhere.",
            defaultValue = "0",
            min = "0",
            max = "16")
        int exhaustive,
    @Key(
            value =
                "How many states are judged at one failure point, of all that the above choose. Those come first whose"
                    + " lost or early stores come from code that was tried least often so far. In the whole run,"
                    + " up to 128 more are judged at the first failure points and of code that was never tried.",
            defaultValue = "4",
            min = "1",
            max = "999999999")
        int perFailurePoint,
    @Key(
            value =
                "Run recovery under the recorder, too, and judge states that only differ in lines which it does not read"
                    + " once. That pays where recovery takes long and few of the pending lines concern it. Not for"
                    + " recoveries that do not do the same each time, as with several threads.",
            defaultValue = "false")
        boolean skipUnread,
    @Key(
            value =
                "How many states are judged in the whole run. It is then incomplete, and can be resumed. Absent: no"
                    + " limit.",
            min = "1",
            max = "999999999",
            example = "20000")
        Optional<Integer> limit) {

  public CrashStatesSection {
    requireNonNull(limit, "limit is null");
    if (enabled
        && !guaranteed
        && !oneLineLost
        && !oneLineEarly
        && sampled == 0
        && exhaustive == 0) {
      throw new IllegalArgumentException(
          "asks for no states at all; write 'enabled: false' to judge program order only");
    }
  }

  /** What of this chooses the states at a failure point. */
  public ChoiceOptions choice() {
    return new ChoiceOptions(
        guaranteed, oneLineLost, oneLineEarly, sampled, seed, exhaustive, perFailurePoint);
  }
}
