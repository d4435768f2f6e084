// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.locks.LockRole;
import io.powercut.races.OwnLocks;
import io.powercut.races.RaceOptions;
import io.powercut.tree.ExcludedFunctions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which persistency-induced races are looked for. */
public record RacesSection(
    @Key(
            value =
                "Search for races. From the start of the target's second thread on, the recorder then"
                    + " writes what threads load and how they synchronise. Programs with one thread are"
                    + " recorded as before.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            value =
                "Report accesses to data that was persisted before a second thread used it, too. It"
                    + " usually was initialised then.",
            defaultValue = "false")
        boolean initialisation,
    @Key(
            value =
                "The functions of the target that acquire and release locks of its own making. Those of"
                    + " pthreads are known.",
            example = "[{function: my_lock, role: acquire, lock: argument 1}]")
        List<SynchronisationSection> synchronisation,
    @Key(
            value =
                "The functions of the target that allocate persistent memory. What they allocate is new"
                    + " memory: what was done to it before matters no more. Those of libpmemobj are known.",
            example = "[{function: my_alloc, address: result, size: argument 1}]")
        List<AllocatorSection> allocators,
    @Key(
            value =
                "Take words for locks, too: a compare-and-swap or an exchange that changes a word acquires"
                    + " it, and the next store to it by the same thread releases it. For spin locks that"
                    + " have no functions.",
            defaultValue = "false")
        boolean atomics,
    @Key(
            value =
                "Look at one in so many cache lines, for programs that share more memory than can be"
                    + " followed. What is found there is what would be found without sampling.",
            defaultValue = "1",
            min = "1",
            max = "1000000")
        int sample,
    @Key(
            value =
                "How many orders of its threads the target is run in to find races. Each has a seed of"
                    + " its own, from `schedule.seed` on. With more than one, the order in which most"
                    + " races happen is then the one that is recorded.",
            defaultValue = "1",
            min = "1",
            max = "100000")
        int runs,
    @Key(
            value =
                "Stop these runs as soon as so many in a row have found nothing new. Default: never.",
            min = "1",
            max = "100000",
            example = "5")
        Optional<Integer> untilQuiet,
    @Key(
            value =
                "At how many stores a writer is held before it persists, at most, so that races happen that"
                    + " did not in the recorded run. A crash is then tried. Each takes a run of the"
                    + " target, or two. All together take no longer than `holdTime`. 0: none.",
            defaultValue = "16",
            min = "0",
            max = "100000")
        int holds,
    @Key(
            value =
                "How long runs in which a writer is held may take together. What is then left is reported"
                    + " as not tried. Default: as long as injection took, and at least 20s.",
            min = "0s",
            max = "1d",
            example = "5m")
        Optional<Duration> holdTime) {
  private static final int MOST_FUNCTIONS = 64;

  public RacesSection {
    requireNonNull(untilQuiet, "untilQuiet is null");
    requireNonNull(holdTime, "holdTime is null");
    synchronisation = List.copyOf(synchronisation);
    allocators = List.copyOf(allocators);
    int functions = synchronisation.size() + allocators.size();
    if (functions > MOST_FUNCTIONS) {
      throw new IllegalArgumentException(
          (allocators.isEmpty()
                  ? "synchronisation has"
                  : "synchronisation and allocators together have")
              + " %d entries, want at most %d; unite functions by patterns such as lock_*"
                  .formatted(functions, MOST_FUNCTIONS));
    }
  }

  /** What the analysis has to know. */
  public RaceOptions options() {
    RaceOptions options =
        initialisation ? RaceOptions.USUAL.withInitialisation() : RaceOptions.USUAL;
    return options
        .withSample(new RaceOptions.Sample(sample, 0))
        .withLocks(
            new OwnLocks(
                names(synchronisation.stream()),
                names(synchronisation.stream().filter(one -> one.role() == LockRole.RELEASE))));
  }

  private static ExcludedFunctions names(Stream<SynchronisationSection> functions) {
    return ExcludedFunctions.of(functions.map(SynchronisationSection::function).toList());
  }
}
