// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.Location;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which lines are hot. */
class TrackedLinesTest {
  private static final int LINES = 5;

  private static long line(int index) {
    return Location.of(1, (long) index * LineRange.LINE);
  }

  @ParameterizedTest
  @CsvSource({"2, 2, 3", "2, 4, 1", "2, 5, 0", "2, 100, 0"})
  void linesThatAreUsedInTurnShouldStayHotIfThereMayBeSoMany(int most, int mostReused, int cold)
      throws Exception {
    TrackedLines lines =
        new TrackedLines(
            (file, offset, into) -> Arrays.fill(into, (byte) 0),
            most,
            mostReused,
            new InFlightPlaces(),
            new LineObservers());
    for (int round = 0; round < 3; round++) {
      for (int index = 0; index < LINES; index++) {
        if (lines.find(line(index)) == null) {
          lines.begin(line(index));
        }
        lines.cool();
      }
    }

    assertThat(lines.size()).isEqualTo(LINES);
    assertThat(lines.hot(new LineRange(line(0), line(LINES - 1)))).hasSize(LINES - cold);
  }
}
