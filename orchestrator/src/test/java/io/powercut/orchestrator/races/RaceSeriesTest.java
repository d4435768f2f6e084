// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.rundir.RaceLog;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When several orders of threads have shown enough. */
class RaceSeriesTest {
  private static RaceLog log(String... levels) {
    return new RaceLog(
        true,
        Arrays.stream(levels)
            .map(
                level ->
                    new RaceLog.Found(
                        "one", SampleRuns.race(level, 10, 30, 20, Optional.empty())))
            .toList());
  }

  @Test
  void shouldBeQuietAfterSoManyRunsWithoutAnythingNew() {
    RaceSeries series = new RaceSeries(List.of(log("region")), Optional.of(2));

    series.add(log("region"));
    assertThat(series.isQuiet()).isFalse();
    series.add(log());
    assertThat(series.isQuiet()).isTrue();
    assertThat(series.united().orElseThrow().races().get(0).evidence().runs()).isEqualTo(2);
  }

  @Test
  void strongerEvidenceShouldBeNewAndWeakerShouldNot() {
    RaceSeries series = new RaceSeries(List.of(log("region")), Optional.of(1));

    series.add(log("observed"));
    assertThat(series.isQuiet()).isFalse();
    series.add(log("lockset"));
    assertThat(series.isQuiet()).isTrue();
  }

  @Test
  void shouldNeverBeQuietUnlessAsked() {
    RaceSeries series = new RaceSeries(List.of(log()), Optional.empty());

    series.add(log());
    assertThat(series.isQuiet()).isFalse();
  }

  @Test
  void nothingShouldBeSaidWithoutARun() {
    assertThat(new RaceSeries(List.of(), Optional.of(1)).united()).isEmpty();
  }
}
