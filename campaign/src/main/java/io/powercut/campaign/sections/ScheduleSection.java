// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;

/** In which order the threads of the target run under the recorder. */
public record ScheduleSection(
    @Key(
            value =
                "How the next thread is chosen: each in its turn (`default`), by random priorities"
                    + " (`pct`), or each in its turn with pauses after stores and around releases of"
                    + " locks (`delay`).",
            defaultValue = "default")
        SchedulePolicy policy,
    @Key(
            value = "Another seed gives another schedule, with `pct` and `delay`.",
            defaultValue = "0",
            min = "0",
            max = "999999999")
        int seed,
    @Key(
            value =
                "How many blocks of code a thread runs before another one may. 100000 blocks take a"
                    + " few milliseconds.",
            defaultValue = "100000",
            min = "1",
            max = "999999999")
        int quantum) {

  public ScheduleSection {
    requireNonNull(policy, "policy is null");
  }
}
