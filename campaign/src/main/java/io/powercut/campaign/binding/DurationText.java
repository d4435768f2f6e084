// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Durations as campaign files and options write them: {@code 90s}, {@code 1h30m}, {@code 7d}. */
public final class DurationText {
  /** What to write instead of a duration that is none. */
  public static final String HINT = "write for example 10m, 90s or 1h30m";

  private static final Units UNITS = new Units(milliseconds(), true);

  private DurationText() {}

  private static Map<String, Long> milliseconds() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("d", 86_400_000L);
    units.put("h", 3_600_000L);
    units.put("m", 60_000L);
    units.put("s", 1000L);
    units.put("ms", 1L);
    return units;
  }

  /** The duration, or nothing if the text is none. */
  public static Optional<Duration> parse(String text) {
    return UNITS.parse(text).map(Duration::ofMillis);
  }

  /** The duration in as many units as it takes; what is less than a millisecond is dropped. */
  public static String format(Duration duration) {
    return UNITS.formatCompound(duration.toMillis());
  }

  static String pattern() {
    return UNITS.pattern();
  }
}
