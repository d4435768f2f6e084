package io.powercut.persistency.states;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A choice among all states by chance. */
final class Sampling {
  private final CrashStates states;
  private final int number;
  private final long seed;

  Sampling(CrashStates states, int number, long seed) {
    this.states = states;
    this.number = number;
    this.seed = seed;
  }

  Selection selection() {
    BigInteger others = states.count().subtract(BigInteger.ONE);
    BigInteger wanted = BigInteger.valueOf(number);
    // Drawing until enough are different is slow when nearly all are wanted.
    return others.compareTo(wanted.shiftLeft(1)) > 0
        ? Selection.of(wanted, this::drawn)
        : Selection.of(others.min(wanted), this::shuffled);
  }

  private Stream<CrashState> drawn() {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> draw(random))
        .filter(state -> !state.isProgramOrder())
        .distinct()
        .limit(number);
  }

  private CrashState draw(SplittableRandom random) {
    List<LineDifference> differences = new ArrayList<>();
    for (PendingLine line : states.lines()) {
      Optional<LineDifference> content = line.content(random.nextLong(line.contents()));
      content.ifPresent(differences::add);
    }
    return CrashState.of(differences);
  }

  private Stream<CrashState> shuffled() {
    List<CrashState> all = new ArrayList<>(Odometer.stream(states).toList());
    Collections.shuffle(all, new Random(seed));
    return all.stream().limit(number);
  }
}
