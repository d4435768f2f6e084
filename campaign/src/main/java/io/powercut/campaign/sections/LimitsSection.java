// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.process.DataSize;
import java.time.Duration;
import java.util.Optional;

/** What the campaign may use. */
public record LimitsSection(
    @Key(
            value = "How many executions run in parallel. `auto`: one per processor.",
            defaultValue = "auto",
            absentWord = "auto",
            min = "1",
            max = "1024")
        Optional<Integer> parallel,
    @Key(
            value =
                "Memory limit of one command and its children, without persistent memory. An execution"
                    + " that exceeds it is killed, and inconclusive.",
            defaultValue = "4GiB",
            min = "16MiB",
            max = "64TiB")
        DataSize memory,
    @Key(
            value = "How much of a command's output is kept. The rest is discarded.",
            defaultValue = "1MiB",
            min = "4KiB",
            max = "1GiB")
        DataSize output,
    @Key(
            value =
                "Time limit of the whole run. A run that reaches it is reported as incomplete and can be"
                    + " resumed. Default: no limit.",
            min = "1s",
            max = "365d",
            example = "2h")
        Optional<Duration> time,
    @Key(
            value =
                "How many crash images may be judged. A run that reaches the limit is reported as"
                    + " incomplete and can be resumed. Default: all.",
            min = "1",
            max = "999999999",
            example = "5000")
        Optional<Integer> images,
    @Key(
            value =
                "How much space stays free on the file system of the PM directory. An execution that"
                    + " would use it is killed, and inconclusive.",
            defaultValue = "512MiB",
            min = "0B",
            max = "64TiB")
        DataSize diskReserve) {

  public LimitsSection {
    requireNonNull(parallel, "parallel is null");
    requireNonNull(memory, "memory is null");
    requireNonNull(output, "output is null");
    requireNonNull(time, "time is null");
    requireNonNull(images, "images is null");
    requireNonNull(diskReserve, "diskReserve is null");
  }
}
