// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

/** Spreads the bits of words, to build sums of hashes. The finisher is that of SplitMix64. */
final class Mixing {
  static final long FIRST_SEED = 0x243F6A8885A308D3L;
  static final long SECOND_SEED = 0x13198A2E03707344L;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mixing() {}

  static long mix(long word) {
    long result = word + GOLDEN;
    result = (result ^ (result >>> 30)) * 0xBF58476D1CE4E5B9L;
    result = (result ^ (result >>> 27)) * 0x94D049BB133111EBL;
    return result ^ (result >>> 31);
  }

  /** Depends on the order of the two. */
  static long mix(long first, long second) {
    return mix(mix(first) + second);
  }

  static long mix(String text, long seed) {
    long result = mix(seed, text.length());
    for (int index = 0; index < text.length(); index++) {
      result = mix(result, text.charAt(index));
    }
    return result;
  }
}
