// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In which order the threads of a program run, from its second thread on. The same schedule gives
 * the same trace, unless the program waits for something outside it.
 *
 * @param policy how the next thread is chosen
 * @param seed of the choices that are left to chance, not negative
 * @param quantum how many blocks of code a thread runs before another one may, 1 to 1,000,000,000
 * @param writtenTo the beginning of the names of the files that get the schedule, one for each
 *     process with several threads
 * @param follows the beginning of the names of such files, by which the threads run, with the
 *     policy that wrote them
 * @param held a thread that is kept from persisting a store, if there is one
 */
public record ThreadSchedule(
    Policy policy,
    long seed,
    long quantum,
    Optional<Path> writtenTo,
    Optional<Path> follows,
    Optional<HeldWriter> held) {
  /** How many blocks a thread runs where nothing is said: some milliseconds. */
  public static final long USUAL_QUANTUM = 100_000;

  private static final Pattern FIRST_LINE =
      Pattern.compile(
          "powercut schedule 1 (\\w+) seed (\\d{1,18}) quantum (\\d{1,10})(?: hold ([0-9:]+))?");

  private static final long LARGEST_QUANTUM = 1_000_000_000;

  /** Every thread in its turn; not written. */
  public static final ThreadSchedule USUAL = of(Policy.DEFAULT, 0, USUAL_QUANTUM);

  public ThreadSchedule {
    requireNonNull(policy, "policy is null");
    writtenTo = writtenTo.map(Path::toAbsolutePath);
    follows = follows.map(Path::toAbsolutePath);
    if (seed < 0 || quantum < 1 || quantum > LARGEST_QUANTUM) {
      throw new IllegalArgumentException(
          "seed is %d, want at least 0; quantum is %d, want 1 to %d"
              .formatted(seed, quantum, LARGEST_QUANTUM));
    }
  }

  /** A schedule that is not written. */
  public static ThreadSchedule of(Policy policy, long seed, long quantum) {
    return new ThreadSchedule(
        policy, seed, quantum, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * What the first line of a file says that a schedule was written to.
   *
   * @return nothing if it is no such line
   */
  public static Optional<ThreadSchedule> ofFirstLine(String line) {
    Matcher matcher = FIRST_LINE.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Arrays.stream(Policy.values())
        .filter(policy -> policy.label().equals(matcher.group(1)))
        .map(
            policy ->
                of(policy, Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))))
        .map(
            schedule ->
                Optional.ofNullable(matcher.group(4))
                    .map(HeldWriter::parse)
                    .map(schedule::holding)
                    .orElse(schedule))
        .findFirst();
  }

  /** The same, written to files whose names begin so. */
  public ThreadSchedule writtenTo(Path prefix) {
    return new ThreadSchedule(policy, seed, quantum, Optional.of(prefix), follows, held);
  }

  /** The one that was written to files whose names begin so. */
  public ThreadSchedule following(Path prefix) {
    return new ThreadSchedule(policy, seed, quantum, writtenTo, Optional.of(prefix), held);
  }

  /** The same with a thread that is held. */
  public ThreadSchedule holding(HeldWriter writer) {
    return new ThreadSchedule(policy, seed, quantum, writtenTo, follows, Optional.of(writer));
  }

  /** The recorder's arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--schedule=" + policy.label());
    arguments.add("--schedule-seed=" + seed);
    arguments.add("--quantum=" + quantum);
    writtenTo.ifPresent(prefix -> arguments.add("--schedule-out=" + prefix));
    follows.ifPresent(prefix -> arguments.add("--schedule-in=" + prefix));
    held.ifPresent(writer -> arguments.add("--hold=" + writer));
    return arguments;
  }

  /** How the next thread is chosen among those that can run. */
  public enum Policy {
    /** Each in its turn. */
    DEFAULT("default"),
    /**
     * The one with the highest priority: probabilistic concurrency testing (Burckhardt et al.,
     * ASPLOS 2010).
     */
    PCT("pct"),
    /** Each in its turn, but threads pause where they store or release (Vardalith, section 5.2). */
    DELAY("delay");

    private final String label;

    Policy(String label) {
      this.label = label;
    }

    /** As {@code schedule.policy} and the recorder's {@code --schedule} name it. */
    public String label() {
      return label;
    }
  }
}
