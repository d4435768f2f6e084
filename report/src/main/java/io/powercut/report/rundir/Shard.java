// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.powercut.tree.FailurePointId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a campaign's failure points, so that several machines can share it. Which part a
 * failure point belongs to follows from its identity alone.
 *
 * @param index which part, from 1; the first one of several
 * @param last the last one of several that are next to each other, at least {@code index}
 * @param count how many parts there are, at least {@code last}
 */
public record Shard(int index, int last, int count) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?/(\\d{1,6})");

  /** Refuses parts that do not exist. */
  public Shard {
    if (index < 1 || index > last || last > count) {
      throw new IllegalArgumentException(
          "there is no part %s: parts are numbered from 1 to their total"
              .formatted(text(index, last, count)));
    }
  }

  /** One part. */
  public Shard(int index, int count) {
    this(index, index, count);
  }

  /**
   * Reads {@code i/n}, or {@code i-j/n} for several parts.
   *
   * @throws IllegalArgumentException if it is not of that form
   */
  @JsonCreator
  public static Shard parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a part: write i/n, for example 2/5");
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    return new Shard(first, last, Integer.parseInt(matcher.group(3)));
  }

  /** Whether a failure point is in this part. */
  public boolean contains(FailurePointId id) {
    long part = Long.remainderUnsigned(id.value(), count) + 1;
    return index <= part && part <= last;
  }

  /** Whether a failure point can be in both. */
  public boolean overlaps(Shard other) {
    return count == other.count && index <= other.last && other.index <= last;
  }

  /** Whether this part reports the patterns in the trace, which are the same in every part. */
  public boolean looksForPatterns() {
    return index == 1;
  }

  @JsonValue
  @Override
  public String toString() {
    return text(index, last, count);
  }

  private static String text(int index, int last, int count) {
    return (index == last ? "" + index : index + "-" + last) + "/" + count;
  }
}
