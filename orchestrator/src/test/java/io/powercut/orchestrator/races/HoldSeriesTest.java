// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.recorder.HeldWriter;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** In which order writers are held, and what is said of those that are not. */
class HoldSeriesTest {
  private final Map<RacePlaces, List<HeldWriter>> ways = new LinkedHashMap<>();
  private final Map<RacePlaces, PersistencyRace.Level> levels = new LinkedHashMap<>();

  /** Each hold as {@code store races}. */
  private final List<String> held = new ArrayList<>();

  private static HeldWriter writer(long store, Optional<Integer> reader) {
    return new HeldWriter(2, store, 100, reader);
  }

  private RacePlaces race(String level, long store, HeldWriter... others) {
    RacePlaces race = new RacePlaces("store " + store, "load " + ways.size());
    List<HeldWriter> all = new ArrayList<>(List.of(writer(store, Optional.empty())));
    all.addAll(List.of(others));
    ways.put(race, all);
    levels.put(race, PersistencyRace.Level.valueOf(level.toUpperCase(Locale.ROOT)));
    return race;
  }

  private static HeldAttempt attempt(HeldWriter writer, boolean happens) {
    return HeldAttempt.of(
        writer,
        happens
            ? Optional.of(
                new RaceLog.Found("one", SampleRuns.race("observed", 10, 30, 20, Optional.empty())))
            : Optional.empty(),
        false);
  }

  private HoldSeries.Holding noting(Predicate<HeldWriter> happens) {
    return (writer, races, done, all) -> {
      held.add(writer.store() + (writer.reader().isPresent() ? " again" : "") + " " + races.size());
      return Optional.of(
          races.stream()
              .collect(toMap(race -> race, race -> attempt(writer, happens.test(writer)))));
    };
  }

  private HoldSeries run(int most, Predicate<HeldWriter> happens) {
    HoldSeries series = new HoldSeries(ways, levels, most);
    series.run(Optional::empty, noting(happens));
    return series;
  }

  @Test
  void kindsOfEvidenceShouldTakeTurns() {
    for (int store = 1; store <= 17; store++) {
      race("observed", store);
    }
    race("region", 30);
    race("lockset", 40);
    race("region", 31);

    HoldSeries series = run(6, writer -> true);

    assertThat(held).containsExactly("1 1", "30 1", "40 1", "2 1", "31 1", "3 1");
    assertThat(series.left()).isEqualTo(Map.of("races.holds", 14L));
    assertThat(series.size()).isEqualTo(6);
  }

  @Test
  void oneHoldShouldServeAllRacesOfAStore() {
    race("lockset", 2);
    RacePlaces region = race("region", 1);
    RacePlaces lockset = race("lockset", 1);

    HoldSeries series = run(16, writer -> true);

    assertThat(held).containsExactly("1 2", "2 1");
    assertThat(series.left()).isEmpty();
    assertThat(series.attempts()).hasSize(3).containsKeys(region, lockset);
  }

  @Test
  void raceThatCouldNotHappenShouldBeTriedWithItsReaderPutOff() {
    HeldWriter puttingOff = writer(1, Optional.of(3));
    RacePlaces first = race("region", 1, puttingOff);
    RacePlaces second = race("region", 1, puttingOff);
    RacePlaces other = race("region", 2, writer(2, Optional.of(3)));
    RacePlaces never = race("lockset", 3, writer(3, Optional.of(3)));

    HoldSeries series = run(16, writer -> writer.store() == 2 || writer.equals(puttingOff));

    assertThat(held).containsExactly("1 2", "3 1", "2 1", "1 again 2", "3 again 1");
    assertThat(List.of(first, second, other, never))
        .extracting(race -> requireNonNull(series.attempts().get(race)).order().outcome())
        .containsExactly(
            HeldOrder.UNUSED, HeldOrder.UNUSED, HeldOrder.UNUSED, HeldOrder.IMPOSSIBLE);
  }

  private HoldSeries.Holding harmingAt(long store) {
    return (writer, races, done, all) -> {
      held.add(writer.store() + " " + races.size());
      return Optional.of(
          races.stream()
              .collect(
                  toMap(
                      race -> race,
                      race -> HeldAttempt.of(writer, Optional.empty(), writer.store() == store))));
    };
  }

  @Test
  void raceThatDidNoHarmShouldBeTriedAtOtherStoresUntilItDoes() {
    RacePlaces race =
        race(
            "region",
            1,
            writer(3, Optional.empty()),
            writer(5, Optional.empty()),
            writer(7, Optional.empty()));
    race("lockset", 2);
    HoldSeries series = new HoldSeries(ways, levels, 16);

    series.run(Optional::empty, harmingAt(5));

    assertThat(held).containsExactly("1 1", "2 1", "3 1", "5 1");
    HeldAttempt known = requireNonNull(series.attempts().get(race));
    assertThat(known.isHarmful()).isTrue();
    assertThat(known.order().store()).isEqualTo(5);
    assertThat(known.order().stores()).isEqualTo(3);
    assertThat(series.left()).isEmpty();
  }

  @Test
  void holdOfOneRaceShouldServeAnotherThatWasTriedElsewhere() {
    race("observed", 1, writer(2, Optional.empty()));
    race("region", 2);

    new HoldSeries(ways, levels, 16).run(Optional::empty, harmingAt(9));

    assertThat(held).containsExactly("1 1", "2 2");
  }

  @Test
  void otherStoresShouldTakeTheHoldsThatAreLeftAndNotBeMissed() {
    race("region", 1, writer(3, Optional.empty()), writer(5, Optional.empty()));
    race("region", 2, writer(4, Optional.empty()), writer(6, Optional.empty()));
    HoldSeries few = new HoldSeries(ways, levels, 3);

    few.run(Optional::empty, harmingAt(9));

    assertThat(held).containsExactly("1 1", "2 1", "3 1");
    assertThat(few.left()).isEmpty();

    HoldSeries late = new HoldSeries(ways, levels, 16);
    late.run(
        () -> held.size() == 6 ? Optional.of("races.holdTime") : Optional.empty(), harmingAt(9));

    assertThat(held).hasSize(6);
    assertThat(late.left()).isEmpty();
  }

  @Test
  void targetThatFailedShouldNotBeHeldElsewhere() {
    race("region", 1, writer(3, Optional.empty()));

    new HoldSeries(ways, levels, 16)
        .run(
            Optional::empty,
            (writer, races, done, all) -> {
              held.add("once");
              return Optional.of(
                  races.stream().collect(toMap(race -> race, race -> HeldAttempt.failed(writer))));
            });

    assertThat(held).containsExactly("once");
  }

  @Test
  void whatIsLeftShouldBeCountedByWhatEndedIt() {
    for (int store = 1; store <= 10; store++) {
      race("region", store, writer(store, Optional.of(3)));
    }
    HoldSeries series = new HoldSeries(ways, levels, 5);

    series.run(
        () -> held.size() == 3 ? Optional.of("races.holdTime") : Optional.empty(),
        noting(writer -> false));

    assertThat(held).containsExactly("1 1", "2 1", "3 1");
    assertThat(series.left())
        .as("two stores and three second ways")
        .isEqualTo(Map.of("races.holds", 5L, "races.holdTime", 5L));
  }

  @Test
  void holdForWhichTheBudgetDidNotLastShouldBeLeft() {
    race("region", 1);
    race("region", 2);
    HoldSeries series = new HoldSeries(ways, levels, 16);

    series.run(Optional::empty, (writer, races, done, all) -> Optional.empty());

    assertThat(series.left()).isEqualTo(Map.of(RaceLog.LIMITS, 2L));
    assertThat(series.attempts()).isEmpty();
  }

  @Test
  void progressShouldCountHoldsOfBothKinds() {
    race("region", 1, writer(1, Optional.of(3)));
    List<String> steps = new ArrayList<>();
    Set<RacePlaces> all = ways.keySet();

    new HoldSeries(ways, levels, 16)
        .run(
            Optional::empty,
            (writer, races, done, count) -> {
              steps.add(done + " of " + count);
              return Optional.of(
                  all.stream().collect(toMap(race -> race, race -> attempt(writer, false))));
            });

    assertThat(steps).containsExactly("0 of 1", "1 of 2");
  }
}
