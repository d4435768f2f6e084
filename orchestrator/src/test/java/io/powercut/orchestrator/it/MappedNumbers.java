// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A target in Java: numbers in a mapped file, each with its complement, and how many there are. The
 * code that catches exceptions is run often enough to be compiled: then Java lets the access to
 * null fail, and handles the signal.
 */
final class MappedNumbers {
  private static final int NUMBERS = 2;
  private static final int SIZE = 65536;
  private static final int FIRST = 4096;
  private static final int DISTANCE = 64;
  private static final int OFTEN = 30_000;

  private MappedNumbers() {}

  /**
   * Stores the numbers, or checks them.
   *
   * @param arguments {@code correct}, {@code forgetful} or {@code check}, and the PM directory
   */
  public static void main(String[] arguments) throws IOException {
    MappedByteBuffer numbers = map(Path.of(arguments[1], "numbers"));
    if (arguments[0].equals("check")) {
      check(numbers);
      return;
    }
    if (nulls() != OFTEN / 2) {
      throw new IllegalStateException("not every other text is null");
    }
    for (int i = 0; i < NUMBERS; i++) {
      put(numbers, i, arguments[0].equals("correct"));
    }
  }

  private static MappedByteBuffer map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
    }
  }

  private static void put(MappedByteBuffer numbers, int index, boolean isForced) {
    int at = FIRST + DISTANCE * index;
    numbers.putInt(at, index + 1);
    numbers.putInt(at + Integer.BYTES, ~(index + 1));
    if (isForced) {
      numbers.force(at, 2 * Integer.BYTES);
    }
    numbers.putInt(0, index + 1);
    numbers.force(0, Integer.BYTES);
  }

  private static void check(MappedByteBuffer numbers) {
    for (int i = 0; i < numbers.getInt(0); i++) {
      int at = FIRST + DISTANCE * i;
      if (numbers.getInt(at) != ~numbers.getInt(at + Integer.BYTES)) {
        throw new IllegalStateException("a number differs from its complement");
      }
    }
  }

  private static int nulls() {
    int nulls = 0;
    for (int i = 0; i < OFTEN; i++) {
      try {
        nulls += length(i % 2 == 0 ? null : "");
      } catch (NullPointerException e) {
        nulls++;
      }
    }
    return nulls;
  }

  @SuppressWarnings("NullAway") // What fails here is what this is about.
  private static int length(@Nullable String text) {
    return text.length();
  }
}
