// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.FindingHistory.State;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs say together. */
class TimelineTest {
  private static final String CAMPAIGN = "map";
  private static final Instant FIRST_NIGHT = Instant.parse("2026-11-01T02:00:00Z");
  private static final String A = "aaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbb";

  @TempDir private Path runs;
  private @Nullable History open;

  @AfterEach
  void close() {
    history().close();
  }

  private History history() {
    History known = open;
    if (known == null) {
      known = History.open(runs.resolve("history.db"));
      open = known;
    }
    return known;
  }

  private static Instant night(int number) {
    return FIRST_NIGHT.plus(Duration.ofDays(number - 1L));
  }

  private Path directory(int night) {
    return runs.resolve(CAMPAIGN).resolve("night-" + night);
  }

  private void whole(int night, String... fingerprints) {
    history()
        .add(Reports.complete(CAMPAIGN, night(night), List.of(fingerprints)), directory(night));
  }

  private void part(int night, boolean complete, Optional<String> shard, String... fingerprints) {
    history()
        .add(
            Reports.report(CAMPAIGN, night(night), complete, shard, List.of(fingerprints), 12),
            directory(night));
  }

  private Timeline timeline() {
    return history().timeline(CAMPAIGN).orElseThrow();
  }

  private static List<String> fingerprints(List<FindingHistory> findings) {
    return findings.stream().map(one -> one.finding().fingerprint()).toList();
  }

  private List<List<String>> changes(Function<RunChanges, List<FindingHistory>> kind) {
    return timeline().runs().stream()
        .map(run -> fingerprints(kind.apply(timeline().changesOf(run))))
        .toList();
  }

  @Test
  void findingThatGotAnotherNameShouldGoOn() {
    whole(1, A);
    whole(2, "1111111111111111 was " + A, "2222222222222222 was " + A, B);
    whole(3, "1111111111111111 was " + A);

    assertThat(changes(RunChanges::added)).containsExactly(List.of(A), List.of(B), List.of());
    assertThat(changes(RunChanges::gone))
        .containsExactly(List.of(), List.of(), List.of("2222222222222222", B));
    assertThat(timeline().findings().get(0))
        .satisfies(
            one -> {
              assertThat(one.finding().fingerprint()).isEqualTo("1111111111111111");
              assertThat(one.first().started()).isEqualTo(night(1));
              assertThat(one.runs()).isEqualTo(3);
            });
  }

  @Test
  void findingShouldBeNewOnceThenStayThenBeGoneOnceThenBeSeenAgain() {
    whole(1);
    whole(2, A);
    whole(3, A, B);
    whole(4, B);
    whole(5, B);
    whole(6, A, B);

    assertThat(changes(RunChanges::added))
        .containsExactly(List.of(), List.of(A), List.of(B), List.of(), List.of(), List.of());
    assertThat(changes(RunChanges::again))
        .containsExactly(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(A));
    assertThat(changes(RunChanges::gone))
        .containsExactly(List.of(), List.of(), List.of(), List.of(A), List.of(), List.of());
    assertThat(timeline().findings().get(0))
        .satisfies(
            one -> {
              assertThat(one.finding().fingerprint()).isEqualTo(A);
              assertThat(one.first().started()).isEqualTo(night(2));
              assertThat(one.last().started()).isEqualTo(night(6));
              assertThat(one.cameBack().map(HistoryRun::started)).contains(night(6));
              assertThat(one.goneSince()).isEmpty();
              assertThat(one.runs()).isEqualTo(3);
            });
  }

  @Test
  void onlyCompleteTrustworthyRunsOfAllFailurePointsShouldMakeAFindingGone() {
    whole(1, A);
    part(2, false, Optional.empty());
    part(3, true, Optional.of("1/2"));
    history()
        .addFailure(
            RunRecord.failure(
                CAMPAIGN, night(4), Optional.empty(), ExitCode.NOT_TRUSTWORTHY, "no control", 1));

    assertThat(timeline().findings()).hasSize(1);
    assertThat(timeline().findings().get(0).goneSince()).isEmpty();
    assertThat(timeline().findings().get(0).state(4, 3)).isEqualTo(State.UNKNOWN);

    whole(5);

    assertThat(timeline().findings().get(0).goneSince().map(HistoryRun::started))
        .contains(night(5));
    assertThat(timeline().findings().get(0).state(5, 5)).isEqualTo(State.GONE);
  }

  @Test
  void findingOfAnIncompleteRunShouldBeNewThereAndNotAgainInTheNext() {
    whole(1);
    part(2, false, Optional.empty(), A);
    whole(3, A);

    assertThat(changes(RunChanges::added)).containsExactly(List.of(), List.of(A), List.of());
    assertThat(changes(RunChanges::again)).containsExactly(List.of(), List.of(), List.of());
  }

  @Test
  void newsShouldBeThoseOfTheLastReportUnlessATimeIsNamed() {
    whole(1, A);
    whole(2, A, B);
    history()
        .addFailure(
            RunRecord.failure(
                CAMPAIGN, night(3), Optional.empty(), ExitCode.NOT_TRUSTWORTHY, "no control", 1));

    assertThat(timeline().from(Optional.empty())).isEqualTo(2);
    assertThat(fingerprints(timeline().changesFrom(2).added())).containsExactly(B);
    assertThat(timeline().from(Optional.of(night(1)))).isEqualTo(1);
    assertThat(fingerprints(timeline().changesFrom(1).added())).containsExactly(A, B);
    assertThat(timeline().from(Optional.of(night(3).plusSeconds(1)))).isEqualTo(4);
    assertThat(timeline().changesFrom(4)).isEqualTo(RunChanges.NONE);
  }

  @Test
  void orderOfAddingShouldNotMatter() {
    whole(4);
    whole(2, A);
    whole(3, A);
    whole(1);

    assertThat(changes(RunChanges::added))
        .containsExactly(List.of(), List.of(A), List.of(), List.of());
    assertThat(changes(RunChanges::gone))
        .containsExactly(List.of(), List.of(), List.of(), List.of(A));
  }
}
