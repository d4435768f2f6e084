// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a campaign is run: the options of {@code powercut run}.
 *
 * @param set keys of the campaign that are set, each as {@code key=value}
 * @param runs where run directories are made; by default {@code powercut-runs} in the working
 *     directory
 * @param resume whether the campaign's latest run is continued
 * @param shard which part of the failure points is tested, such as {@code 1/3}; by default all
 */
public record RunOptions(
    List<String> set, Optional<Path> runs, boolean resume, Optional<String> shard) {
  /** The usual ones: nothing is set, and a new run of the whole campaign begins. */
  public static final RunOptions NONE =
      new RunOptions(List.of(), Optional.empty(), false, Optional.empty());

  public RunOptions {
    set = List.copyOf(set);
  }

  /** With a key set. */
  RunOptions with(String key, String value) {
    List<String> all = new ArrayList<>(set);
    all.add(key + "=" + value);
    return new RunOptions(all, runs, resume, shard);
  }

  /** With run directories there. */
  RunOptions in(Path folder) {
    return new RunOptions(set, Optional.of(folder), resume, shard);
  }

  /** With the latest run continued. */
  RunOptions resumed() {
    return new RunOptions(set, runs, true, shard);
  }

  /** With that part alone. */
  RunOptions part(String part) {
    return new RunOptions(set, runs, resume, Optional.of(part));
  }

  /** As they are given to the command {@code powercut run}. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (String one : set) {
      arguments.addAll(List.of("--set", one));
    }
    runs.ifPresent(folder -> arguments.addAll(List.of("--runs", folder.toString())));
    if (resume) {
      arguments.add("--resume");
    }
    shard.ifPresent(part -> arguments.addAll(List.of("--shard", part)));
    return List.copyOf(arguments);
  }
}
