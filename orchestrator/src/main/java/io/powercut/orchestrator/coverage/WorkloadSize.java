// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many operations a workload has.
 *
 * @param operations at least 1
 * @param label as the user wrote it, for example {@code 5k}
 */
public record WorkloadSize(long operations, String label) implements Comparable<WorkloadSize> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})([km]?)");
  private static final long LARGEST = 1_000_000_000_000L;

  public WorkloadSize {
    requireNonNull(label, "label is null");
    if (operations < 1 || operations > LARGEST) {
      throw new IllegalArgumentException(
          "'" + label + "' is not a workload size: want 1 to " + LARGEST + " operations");
    }
  }

  /**
   * Reads a size: a whole number, {@code k} for thousands, {@code m} for millions.
   *
   * @throws IllegalArgumentException naming the text if it is none
   */
  public static WorkloadSize parse(String text) {
    String label = text.strip().toLowerCase(Locale.ROOT);
    Matcher form = FORM.matcher(label);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a workload size: want a number of operations such as 500, 5k or 1m");
    }
    long number = Long.parseLong(form.group(1));
    return new WorkloadSize(Math.multiplyExact(number, unit(form.group(2))), label);
  }

  private static long unit(String letter) {
    if (letter.isEmpty()) {
      return 1;
    }
    return letter.equals("k") ? 1_000 : 1_000_000;
  }

  @Override
  public int compareTo(WorkloadSize other) {
    return Long.compare(operations, other.operations);
  }
}
