package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import java.util.List;
import java.util.Optional;

/** Where the power is cut. */
public record FailurePointsSection(
    @Key(
            value =
                "Which instructions are failure points: `persistency` (flushes, fences and what has a fence's effect,"
                    + " with a store since the last one) or `store` (every store to persistent memory: many more).",
            defaultValue = "persistency")
        Granularity granularity,
    @Key(
            value =
                "Functions that are trusted: there is no failure point in them or in what they call.",
            pattern = "\\S(.*\\S)?",
            example = "[pmemobj_create]")
        List<String> exclude,
    @Key(
            value =
                "Also where the dynamic loader is at work, as when a function is called for the first time (lazy binding).",
            defaultValue = "false")
        boolean loader,
    @Key(
            value =
                "The function with whose first call the analysis begins. Absent: the start of the program.",
            pattern = "\\S(.*\\S)?",
            example = "run_workload")
        Optional<String> begin,
    @Key(
            value =
                "The function with whose first call, after the beginning, the analysis ends. Absent: the end of the"
                    + " program.",
            pattern = "\\S(.*\\S)?",
            example = "shut_down")
        Optional<String> end) {

  public FailurePointsSection {
    requireNonNull(granularity, "granularity is null");
    exclude = List.copyOf(exclude);
    requireNonNull(begin, "begin is null");
    requireNonNull(end, "end is null");
  }
}
