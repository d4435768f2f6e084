// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.CommandSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run has learned of how long recovery takes: a step that was successful some times and
 * never took long needs not get its whole time limit on every image that it hangs on. It is still
 * only called hung at a place where it was seen to hang for its whole limit. For several threads.
 */
public final class LearnedLimits {
  /** So many successes of a step make a limit. */
  private static final int ENOUGH = 5;

  /** The longest success so many times. */
  private static final int TIMES = 20;

  /** A busy machine makes everybody wait so long now and then. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /** Of processor time, which passes no faster on a busy machine. */
  private static final Duration LEAST_CPU = Duration.ofMillis(100);

  private final Map<Integer, Successes> successes = new HashMap<>();
  private final Set<List<String>> places = new HashSet<>();

  /** How often a step was successful, and the longest times that this took. */
  private record Successes(int count, Duration longest, Duration longestCpu) {
    Successes plus(Successes other) {
      return new Successes(
          count + other.count,
          longer(longest, other.longest),
          longer(longestCpu, other.longestCpu));
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** All steps of a recovery were successful. */
  synchronized void succeeded(List<StepResult> steps) {
    for (int step = 0; step < steps.size(); step++) {
      StepResult result = steps.get(step);
      successes.merge(step, new Successes(1, result.wallTime(), result.cpuTime()), Successes::plus);
    }
  }

  /** A recovery hung for its whole time limit. */
  synchronized void hung(CrashStack stack) {
    place(stack).ifPresent(places::add);
  }

  /**
   * A recovery that was said to hang there may only have been slow.
   *
   * @param stack which was given to {@link #hung}, or any other
   */
  public synchronized void forget(CrashStack stack) {
    place(stack).ifPresent(places::remove);
  }

  /** Whether a recovery has hung there for its whole time limit. */
  synchronized boolean isKnown(CrashStack stack) {
    return place(stack).filter(places::contains).isPresent();
  }

  /** The functions from the place of the hang outwards. */
  private static Optional<List<String>> place(CrashStack stack) {
    return stack
        .place()
        .map(
            place ->
                stack.frames().stream()
                    .skip(stack.frames().indexOf(place))
                    .map(CrashFrame::shortName)
                    .collect(Collectors.toList()));
  }

  /** How long the successes of a step took, if there were enough of them. */
  synchronized Optional<Duration> longest(int step) {
    return known(step).map(Successes::longest);
  }

  private synchronized Optional<Successes> known(int step) {
    return Optional.ofNullable(successes.get(step)).filter(one -> one.count() >= ENOUGH);
  }

  /**
   * The step with the time that it should need, never more than it has.
   *
   * @param index its number, counted from 0
   */
  public RecoveryStep shorten(int index, RecoveryStep step) {
    Optional<Successes> known = known(index);
    if (known.isEmpty()) {
      return step;
    }
    Duration learned = longer(LEAST, known.get().longest().multipliedBy(TIMES));
    CommandSpec command = step.command();
    CommandSpec.Builder shorter = command.toBuilder();
    if (command.timeLimit().compareTo(learned) > 0) {
      shorter.timeLimit(learned);
    }
    // What spins is known to hang sooner than what waits. A server may work for long.
    Duration cpu = longer(LEAST_CPU, known.get().longestCpu().multipliedBy(TIMES));
    if (step.server().isEmpty() && command.timeLimit().compareTo(cpu) > 0) {
      shorter.cpuLimit(cpu);
    }
    return new RecoveryStep(
        step.name(),
        shorter.build(),
        step.success(),
        step.server().map(plan -> plan.within(learned)),
        step.check());
  }
}
