package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.process.DataSize;
import java.time.Duration;
import java.util.Optional;

/** What the campaign may use. */
public record LimitsSection(
    @Key(
            value = "How many executions run at a time. `auto`: as many as there are processors.",
            defaultValue = "auto",
            absentWord = "auto",
            min = "1",
            max = "1024")
        Optional<Integer> parallel,
    @Key(
            value =
                "How much memory, persistent memory aside, one command and its children may take. An execution that"
                    + " takes more is ended, and inconclusive.",
            defaultValue = "4GiB",
            min = "16MiB",
            max = "64TiB")
        DataSize memory,
    @Key(
            value = "How much of a command's output is kept. The rest is read and dropped.",
            defaultValue = "1MiB",
            min = "4KiB",
            max = "1GiB")
        DataSize output,
    @Key(
            value =
                "How long the whole run may take. It then ends honestly, incomplete, and can be resumed. Absent: as long"
                    + " as it takes.",
            min = "1s",
            max = "365d",
            example = "2h")
        Optional<Duration> time,
    @Key(
            value =
                "How many crash images may be judged. The run then ends honestly, incomplete, and can be resumed."
                    + " Absent: all of them.",
            min = "1",
            max = "999999999",
            example = "5000")
        Optional<Integer> images,
    @Key(
            value =
                "How much stays free on the file system of the PM directory. What would take it is ended, and"
                    + " inconclusive.",
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
