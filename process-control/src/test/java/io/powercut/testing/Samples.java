// SPDX-License-Identifier: Apache-2.0
package io.powercut.testing;

import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Checks a property on many random samples. Each is made from a seed of its own, which a failure
 * names: {@code -Dpowercut.seed=SEED} repeats that sample alone. {@code -Dpowercut.samples=N}
 * checks so many at most.
 */
public final class Samples {
  /** As many as most properties get. */
  public static final int USUAL = 1000;

  private static final String SEED = "powercut.seed";
  private static final String MOST = "powercut.samples";

  private Samples() {}

  /**
   * Checks a property on {@link #USUAL} samples.
   *
   * @param generator makes a sample; from equal numbers, an equal one
   * @param property throws what is wrong with a sample
   */
  public static <T> void check(Function<Numbers, T> generator, Consumer<T> property) {
    Long seed = Long.getLong(SEED);
    if (seed != null) {
      checkOne(seed, generator, property);
      return;
    }
    Random seeds = new Random();
    for (int index = 0; index < share(USUAL); index++) {
      checkOne(seeds.nextLong(), generator, property);
    }
  }

  /**
   * How many of its samples a test checks that makes them itself: all of them, or as large a part
   * as of the {@link #USUAL} ones, but at least one.
   */
  public static int share(int all) {
    int most = Math.min(USUAL, Integer.getInteger(MOST, USUAL));
    return (int) Math.max(1, (long) all * most / USUAL);
  }

  private static <T> void checkOne(
      long seed, Function<Numbers, T> generator, Consumer<T> property) {
    T sample = generator.apply(new Numbers(new Random(seed)));
    try {
      property.accept(sample);
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(
          "repeat with -D%s=%d: %s%nfor the sample %s"
              .formatted(SEED, seed, failure.getMessage(), sample),
          failure);
    }
  }
}
