package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.process.DataSize;
import java.nio.file.Path;
import java.util.Optional;

/** Where the target keeps its persistent files. */
public record PmSection(
    @Key(
            value =
                "The directory in which every execution gets a private one, {pm}: a path on a DAX mount, a tmpfs or any"
                    + " other file system. `auto` takes a DAX mount if there is one, else /dev/shm.",
            defaultValue = "auto",
            absentWord = "auto")
        Optional<Path> directory,
    @Key(
            value = "How much one execution may put into its private directory.",
            defaultValue = "2GiB",
            min = "1MiB",
            max = "64TiB")
        DataSize limit) {

  public PmSection {
    requireNonNull(directory, "directory is null");
    requireNonNull(limit, "limit is null");
  }
}
