// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import java.util.List;
import java.util.Optional;

/** Where the power is cut. */
public record FailurePointsSection(
    @Key(
            value =
                "Which instructions are failure points. `persistency`: flushes, fences and instructions"
                    + " with the effect of a fence, calls that synchronise, writes with `O_DSYNC`, and"
                    + " calls that change a name or a size, if a store or such a change came since the"
                    + " previous one."
                    + " `store`: also every store to persistent memory, which gives many more.",
            defaultValue = "persistency")
        Granularity granularity,
    @Key(
            value =
                "Trusted functions. Neither they nor the functions they call have failure points.",
            pattern = "\\S(.*\\S)?",
            example = "[pmemobj_create]")
        List<String> exclude,
    @Key(
            value =
                "Include failure points in the dynamic loader, as at the first call of a function (lazy"
                    + " binding).",
            defaultValue = "false")
        boolean loader,
    @Key(
            value =
                "The analysis begins at the first call of this function. Default: the start of the"
                    + " program.",
            pattern = "\\S(.*\\S)?",
            example = "run_workload")
        Optional<String> begin,
    @Key(
            value =
                "The analysis ends at the first call of this function after `begin`. Default: the end of"
                    + " the program.",
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
