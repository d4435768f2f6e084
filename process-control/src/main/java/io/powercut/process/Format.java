// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.math.BigDecimal;
import java.time.Duration;

/** Amounts in words, for messages. */
final class Format {
  private Format() {}

  /** {@code 10s}, {@code 1.5s}, {@code 250ms}. */
  static String duration(Duration duration) {
    long milliseconds = duration.toMillis();
    if (milliseconds < 1000) {
      return milliseconds + "ms";
    }
    return BigDecimal.valueOf(milliseconds, 3).stripTrailingZeros().toPlainString() + "s";
  }
}
