// SPDX-License-Identifier: Apache-2.0
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
                "The parent of the private directories, {pm}. It may be on a DAX mount, a tmpfs or any"
                    + " other file system. `auto` uses a DAX mount if there is one, otherwise /dev/shm.",
            defaultValue = "auto",
            absentWord = "auto")
        Optional<Path> directory,
    @Key(
            value = "Size limit of one private directory.",
            defaultValue = "2GiB",
            min = "1MiB",
            max = "64TiB")
        DataSize limit) {

  public PmSection {
    requireNonNull(directory, "directory is null");
    requireNonNull(limit, "limit is null");
  }
}
