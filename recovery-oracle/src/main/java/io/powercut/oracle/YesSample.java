// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which of the images that recovery found consistent are judged again: "no" is always confirmed,
 * "yes" by this sample of the first three and then one in twenty. Shared by the oracles of a run;
 * safe for use by several threads.
 */
public final class YesSample {
  private static final int FIRST = 3;
  private static final int ONE_IN = 20;

  private final AtomicLong seen = new AtomicLong();
  private final boolean takesAny;

  private YesSample(boolean takesAny) {
    this.takesAny = takesAny;
  }

  /** A new sample. */
  public static YesSample create() {
    return new YesSample(true);
  }

  /** One that takes nothing. */
  public static YesSample none() {
    return new YesSample(false);
  }

  /** Counts an image that recovery found consistent; whether it is one to ask about again. */
  boolean takes() {
    if (!takesAny) {
      return false;
    }
    long number = seen.incrementAndGet();
    return number <= FIRST || number % ONE_IN == 0;
  }
}
