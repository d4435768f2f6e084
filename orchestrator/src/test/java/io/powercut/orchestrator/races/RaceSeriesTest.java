// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When several orders of threads have shown enough. */
class RaceSeriesTest {
  private static RaceLog log(String... levels) {
    return RaceLog.of(
        true,
        Arrays.stream(levels)
            .map(
                level ->
                    new RaceLog.Found("one", SampleRuns.race(level, 10, 30, 20, Optional.empty())))
            .toList());
  }

  private static RaceSeries first(Optional<Integer> wanted, String... levels) {
    RaceSeries series = new RaceSeries(wanted);
    series.add(1, log(levels));
    return series;
  }

  @Test
  void orderInWhichMostRacesHappenedShouldBeTheBest() {
    RaceSeries series = first(Optional.empty(), "region");
    assertThat(series.best()).isZero();

    series.add(2, log("observed", "observed"));
    assertThat(series.best()).isEqualTo(2);
    series.add(3, log("consequence"));
    series.add(4, log("consequence"));
    assertThat(series.best()).isEqualTo(3);
  }

  @Test
  void threadsShouldHaveRunOneAfterTheOtherIfTheyDidSoInAllOrders() {
    RaceSeries series = new RaceSeries(Optional.empty());
    assertThat(series.isSerial()).isFalse();
    series.add(0, log().noting(List.of("a limit"), true));
    assertThat(series.isSerial()).isTrue();
    series.add(OtherOrder.NUMBER, log().noting(List.of("a limit"), false));
    assertThat(series.isSerial()).isFalse();
    assertThat(series.united().orElseThrow().limits()).containsExactly("a limit");
  }

  @Test
  void runInAKnownOrderShouldReplaceTheOther() {
    RaceSeries series = first(Optional.empty(), "region");
    series.add(1, log("region"));

    assertThat(series.united().orElseThrow().races().get(0).evidence().searched()).isEqualTo(1);
  }

  @Test
  void orderInWhichTheTargetFailedShouldBeKept() {
    RaceSeries series = first(Optional.of(1), "region");
    FailedOrder failed = new FailedOrder("delay", 2, "the target failed", 1);
    series.fail(failed);
    series.fail(new FailedOrder("delay", 3, "the target failed", 1));

    assertThat(series.isQuiet()).isFalse();
    assertThat(series.united().orElseThrow().failures()).containsExactly(failed.again());
    assertThat(series.united().orElseThrow().races().get(0).evidence().searched()).isEqualTo(1);
  }

  @Test
  void shouldBeQuietAfterSoManyRunsWithoutAnythingNew() {
    RaceSeries series = first(Optional.of(2), "region");

    series.add(2, log("region"));
    assertThat(series.isQuiet()).isFalse();
    series.add(3, log());
    assertThat(series.isQuiet()).isTrue();
    assertThat(series.united().orElseThrow().races().get(0).evidence().runs()).isEqualTo(2);
  }

  @Test
  void strongerEvidenceShouldBeNewAndWeakerShouldNot() {
    RaceSeries series = first(Optional.of(1), "region");

    series.add(4, log("observed"));
    assertThat(series.isQuiet()).isFalse();
    series.add(5, log("lockset"));
    assertThat(series.isQuiet()).isTrue();
  }

  @Test
  void shouldNeverBeQuietUnlessAsked() {
    RaceSeries series = first(Optional.empty());

    series.add(6, log());
    assertThat(series.isQuiet()).isFalse();
  }

  @Test
  void nothingShouldBeSaidWithoutARun() {
    assertThat(new RaceSeries(Optional.of(1)).united()).isEmpty();
  }
}
