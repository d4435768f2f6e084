// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A choice among all states by chance. */
final class Sampling {
  private final CrashStates states;
  private final List<InFlightLine> lines;
  private final int number;
  private final long seed;

  Sampling(CrashStates states, int number, long seed) {
    this.states = states;
    this.lines = states.isFew() ? states.lines() : List.of();
    this.number = number;
    this.seed = seed;
  }

  Selection selection() {
    if (!states.isFew()) {
      return Selection.of(
          BigInteger.valueOf(number),
          () -> LongStream.range(0, number).mapToObj(one -> states.lostByChance(seed + one)));
    }
    // Drawing until enough are different is slow when nearly all are wanted.
    long others = others(2L * number);
    return others > number
        ? Selection.of(
            BigInteger.valueOf(number), others > 2L * number ? this::drawn : this::shuffled)
        : Selection.of(BigInteger.valueOf(others), this::shuffled);
  }

  /** How many states there are besides that of program order; if more than so many, just more. */
  private long others(long most) {
    long all = 1;
    for (InFlightLine line : lines) {
      long contents = line.contents();
      if (contents > (most + 1) / all) {
        return most + 1;
      }
      all *= contents;
    }
    return all - 1;
  }

  private Stream<CrashState> drawn() {
    SplittableRandom random = new SplittableRandom(seed);
    // The states themselves would take too much memory. If ever two have the same hash, one of them
    // is not drawn.
    Set<HashCode> drawn = new HashSet<>();
    return Stream.generate(() -> numbers(random))
        .filter(numbers -> drawn.add(hash(numbers)))
        .map(this::state)
        .filter(state -> !state.isProgramOrder())
        .limit(number);
  }

  private long[] numbers(SplittableRandom random) {
    return lines.stream().mapToLong(line -> random.nextLong(line.contents())).toArray();
  }

  private static HashCode hash(long[] numbers) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    for (long number : numbers) {
      hasher.putLong(number);
    }
    return hasher.hash();
  }

  private CrashState state(long[] numbers) {
    List<LineDifference> differences = new ArrayList<>();
    for (int index = 0; index < numbers.length; index++) {
      lines.get(index).content(numbers[index]).ifPresent(differences::add);
    }
    return CrashState.of(differences);
  }

  private Stream<CrashState> shuffled() {
    List<CrashState> all = new ArrayList<>(Odometer.stream(states).toList());
    Collections.shuffle(all, new Random(seed));
    return all.stream().limit(number);
  }
}
