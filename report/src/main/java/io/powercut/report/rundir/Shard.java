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
 * @param index which part, from 1
 * @param count how many parts there are, at least {@code index}
 */
public record Shard(int index, int count) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

  /** Refuses parts that do not exist. */
  public Shard {
    if (index < 1 || index > count) {
      throw new IllegalArgumentException(
          "there is no part %d/%d: parts are numbered from 1 to their total"
              .formatted(index, count));
    }
  }

  /**
   * Reads {@code i/n}.
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
    return new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** Whether a failure point is in this part. */
  public boolean contains(FailurePointId id) {
    return Long.remainderUnsigned(id.value(), count) == index - 1;
  }

  /** Whether this part reports the patterns in the trace, which are the same in every part. */
  public boolean looksForPatterns() {
    return index == 1;
  }

  @JsonValue
  @Override
  public String toString() {
    return index + "/" + count;
  }
}
