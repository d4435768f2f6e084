// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.dataraces;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.template.CommandTemplate;
import java.util.List;
import java.util.Optional;

/** How data races are looked for, in any memory of the target. */
public record DataRacesSection(
    @Key(
            value =
                "What looks for them: `hmtrace` compares each access with the last ones to the same bytes,"
                    + " `kard` with what critical sections use at that time, `both` does both.",
            defaultValue = "hmtrace")
        RaceDetector detector,
    @Key(
            value =
                "Look as the papers do, without what barriers, semaphores, atomic operations and earlier holders"
                    + " of a lock order. Threads are ordered only by how they begin and end.",
            defaultValue = "false")
        boolean pure,
    @Key(
            value =
                "What tells it of accesses: `software`, on any processor; `mte`, the memory tagging of AArch64,"
                    + " for `hmtrace`; `mpk`, the protection keys of x86, for `kard`; `recorder`, for programs that"
                    + " `powercut cc` did not compile: slow, and nothing is confirmed."
                    + " `auto` takes what sees most, which is software.",
            defaultValue = "auto")
        RaceBackend backend,
    @Key(
            value =
                "What is run for them instead of the target's `command`: the same program, compiled by `powercut cc`.",
            example = "[build-races/app, run, \"{pm}/pool\"]")
        Optional<CommandTemplate> command,
    @Key(
            value = "How often the target is run for them, on its own and not under the recorder.",
            defaultValue = "1",
            min = "1",
            max = "10000")
        int runs,
    @Key(
            value =
                "Races that are not reported: those with one of these functions or files in the call stack"
                    + " of either access.",
            example = "[{function: \"stats_*\"}, {file: \"third_party/*\"}]")
        List<SuppressedRaces> suppress) {

  public DataRacesSection {
    requireNonNull(detector, "detector is null");
    requireNonNull(backend, "backend is null");
    requireNonNull(command, "command is null");
    backend
        .refusal(detector)
        .ifPresent(
            text -> {
              throw new IllegalArgumentException(text);
            });
    suppress = List.copyOf(suppress);
  }
}
