// SPDX-License-Identifier: Apache-2.0
package io.powercut.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random choices, the same for the same seed. */
public final class Numbers {
  private final Random random;

  Numbers(Random random) {
    this.random = random;
  }

  /** A number from {@code least} to {@code most}, both included; one of these two more often. */
  public int between(int least, int most) {
    return switch (random.nextInt(20)) {
      case 0 -> least;
      case 1 -> most;
      default -> least + random.nextInt(most - least + 1);
    };
  }

  /** Any number; more often one at the end of a range. */
  public long any() {
    return random.nextInt(10) == 0
        ? oneOf(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)
        : random.nextLong();
  }

  /** One of these, each as often. */
  @SafeVarargs
  public final <T> T oneOf(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** One of these, each as often as its weight says. */
  @SafeVarargs
  public final <T> T oneOf(Weighted<T>... values) {
    int sum = 0;
    for (Weighted<T> value : values) {
      sum += value.weight();
    }
    int rest = random.nextInt(sum);
    for (Weighted<T> value : values) {
      rest -= value.weight();
      if (rest < 0) {
        return value.value();
      }
    }
    throw new IllegalStateException("weights have changed");
  }

  /** As many as a number from {@code least} to {@code most}. */
  public <T> List<T> listOf(int least, int most, Supplier<T> element) {
    int size = between(least, most);
    List<T> list = new ArrayList<>(size);
    for (int index = 0; index < size; index++) {
      list.add(element.get());
    }
    return list;
  }

  /**
   * A choice.
   *
   * @param weight how often, in proportion to the others, at least 1
   */
  public record Weighted<T>(int weight, T value) {}

  /** A choice, {@code weight} times as often as one with weight 1. */
  public static <T> Weighted<T> often(int weight, T value) {
    return new Weighted<>(weight, value);
  }
}
