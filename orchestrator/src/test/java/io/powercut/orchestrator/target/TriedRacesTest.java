// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.races.RaceAnalysis;
import io.powercut.races.RaceOptions;
import io.powercut.races.found.Race;
import io.powercut.races.found.WindowEnd;
import io.powercut.recorder.HeldWriter;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a crash is tried for a race, and what the report gets of it. */
class TriedRacesTest {
  private static final Occurrence HERE = new Occurrence(new FailurePointId(7), 3);
  private static final Occurrence LATER = new Occurrence(new FailurePointId(8), 1);
  private static final int WRITE = 1;
  private static final int READ = 2;
  private static final int COPY = 3;

  private final TraceTables tables = new TraceTables();
  private final CacheLineTracker tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
  private final RaceAnalysis analysis =
      RaceAnalysis.observing(tracker, tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);
  private final TriedRaces races = new TriedRaces(analysis, Optional.empty());
  private long ordinal;

  @BeforeEach
  void begin() {
    tell(new TraceEvent.ModuleDefined(ordinal++, 1, 1, "/bin/program", "", 0));
    tell(new TraceEvent.FileDefined(ordinal++, 1, 1, FileState.EXISTING, 4096, "pool"));
    tell(new TraceEvent.ThreadStarted(ordinal++, 1, 1, 0, 100, 100));
    tell(new TraceEvent.ThreadStarted(ordinal++, 1, 2, 1, 100, 102));
    tell(new TraceEvent.ThreadStarted(ordinal++, 1, 3, 1, 100, 103));
    define(WRITE, "write_slot");
    define(READ, "read_slot");
    define(COPY, "copy_slot");
  }

  private void define(int number, String function) {
    SourcePosition position = new SourcePosition(function, "program.c", number);
    tell(new TraceEvent.SiteDefined(ordinal++, 1, number, 1, 16L * number, List.of(position)));
    FailurePointId id = FailurePointId.of(List.of(Frame.unknown("program", 16L * number)));
    tell(new TraceEvent.StackDefined(ordinal++, 1, number, id, false, List.of(number)));
  }

  private void tell(TraceEvent event) {
    tables.event(event);
    analysis.event(event);
    tracker.event(event);
  }

  private void store(int thread, int site, long offset) throws IOException {
    StoreRecord record =
        new StoreRecord(
            ordinal++, thread, 0, site, site, Location.of(1, offset), 8, ByteBuffer.allocate(8), 0);
    analysis.store(record);
    tracker.store(record);
  }

  private void persist(int thread, long offset) throws IOException {
    long location = Location.of(1, offset);
    analysis.flush(ordinal, thread, FlushKind.CLFLUSH, WRITE, WRITE, location);
    tracker.flush(ordinal++, thread, FlushKind.CLFLUSH, WRITE, WRITE, location);
  }

  private void load(int thread, long offset) {
    analysis.load(ordinal++, thread, 0, READ, READ, Location.of(1, offset), 8);
  }

  private Set<Integer> at(Occurrence occurrence) {
    return races.at(occurrence, TriedRacesTest::identity);
  }

  private static FindingIdentity identity() {
    return new FindingIdentity(new CodePlaces(module -> Optional.empty()));
  }

  private RaceLog log() {
    return races.log(identity()).orElseThrow();
  }

  private static HeldWriter hold(long store, Optional<Integer> reader) {
    return new HeldWriter(2, store, HeldWriter.USUAL_BLOCKS, reader);
  }

  private static RacePlaces places(RaceLog log) {
    return RacePlaces.of(log.races().get(0).evidence(), identity());
  }

  @Test
  void writerOfARaceThatDidNotHappenMayBeHeldBehindThatStoreAndThenPutTheReaderOff()
      throws IOException {
    load(3, 0); // else it is taken for initialisation
    store(2, COPY, 64);
    store(2, WRITE, 0);
    persist(2, 0);
    load(3, 0);

    assertThat(races.chances(identity()))
        .containsExactly(
            entry(places(log()), List.of(hold(2, Optional.empty()), hold(2, Optional.of(3)))));
  }

  @Test
  void readerThatCameFirstShouldBeKeptWhenTheWriterIsHeld() throws IOException {
    load(3, 0);
    store(2, WRITE, 0);
    persist(2, 0);

    assertThat(races.chances(identity()).values())
        .containsExactly(List.of(hold(1, Optional.of(3))));
  }

  @Test
  void storeBehindWhichAThreadIsHeldShouldBeOneThatComesBeforeTheLoad() throws IOException {
    load(3, 0);
    store(2, WRITE, 0);
    persist(2, 0);
    load(3, 0);

    assertThat(races.chances(identity()).values())
        .containsExactly(List.of(hold(1, Optional.empty()), hold(1, Optional.of(3))));
  }

  @Test
  void writerShouldNotBeHeldForAReaderInAnotherProcess() throws IOException {
    tell(new TraceEvent.ProcessStarted(ordinal++, 4, 200, 100, 1));
    load(4, 0);
    store(2, WRITE, 0);
    persist(2, 0);
    load(4, 0);

    assertThat(log().races()).hasSize(1);
    assertThat(races.chances(identity())).isEmpty();
  }

  @Test
  void writerShouldBeHeldForTheReaderInItsOwnProcess() throws IOException {
    tell(new TraceEvent.ProcessStarted(ordinal++, 4, 200, 100, 1));
    load(4, 0);
    for (int reader : List.of(4, 3)) {
      store(2, WRITE, 0);
      persist(2, 0);
      load(reader, 0);
    }

    assertThat(races.chances(identity()).values())
        .containsExactly(List.of(hold(2, Optional.empty()), hold(2, Optional.of(3))));
  }

  @Test
  void otherThreadThatPersistsTheStoreShouldBeHeldInsteadOfTheWriter() throws IOException {
    tell(new TraceEvent.ThreadStarted(ordinal++, 1, 4, 1, 100, 104));
    load(3, 0);
    store(2, WRITE, 0);
    persist(4, 0);
    load(3, 0);

    assertThat(races.chances(identity()).values())
        .containsExactly(
            List.of(
                hold(1, Optional.empty()).persistedBy(4), hold(1, Optional.of(3)).persistedBy(4)));
  }

  @Test
  void otherStoresOfARaceShouldBeHeldAfterItsExample() throws IOException {
    load(3, 0);
    for (int time = 0; time < 9; time++) {
      store(2, WRITE, 0);
      persist(2, 0);
      load(3, 0);
    }

    assertThat(races.chances(identity()).values())
        .as("the first ones and the last one")
        .containsExactly(
            List.of(
                hold(1, Optional.empty()),
                hold(1, Optional.of(3)),
                hold(2, Optional.empty()),
                hold(3, Optional.empty()),
                hold(9, Optional.empty())));
  }

  @Test
  void readerThatPersistsWhatItReadShouldNotBeHeld() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    persist(3, 0);

    assertThat(races.chances(identity()).values())
        .containsExactly(List.of(hold(1, Optional.empty()), hold(1, Optional.of(3))));
  }

  @Test
  void raceWhoseReaderDidNothingShouldBeTriedAgain() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    persist(2, 0);

    assertThat(races.chances(identity()).values())
        .containsExactly(List.of(hold(1, Optional.empty()), hold(1, Optional.of(3))));
  }

  @Test
  void raceWithAConsequenceShouldNeedNoHold() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    store(3, COPY, 64);
    persist(3, 64);
    persist(2, 0);

    assertThat(races.chances(identity())).isEmpty();
  }

  @Test
  void onlyWantedRacesShouldBeTried() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    store(3, COPY, 64);
    TriedRaces others =
        new TriedRaces(analysis, Optional.of(Set.of(new RacePlaces("some", "others"))));

    assertThat(others.at(HERE, TriedRacesTest::identity)).isEmpty();
  }

  @Test
  void crashShouldBeTriedOnceTheReaderHasStoredSomething() throws IOException {
    store(2, WRITE, 0);
    assertThat(at(HERE)).isEmpty();
    load(3, 0);
    assertThat(at(HERE)).isEmpty();
    store(3, COPY, 64);

    assertThat(at(HERE)).isEqualTo(Set.of(WRITE));
    assertThat(at(LATER)).isEmpty();
    PersistencyRace race = log().races().get(0).evidence();
    assertThat(race.tried()).contains(HERE);
    assertThat(race.seen())
        .isEqualTo(
            "read_slot at program.c:2 loads what write_slot at program.c:1 stored, before it is"
                + " persisted");
  }

  @Test
  void onesOwnStoreShouldNotBeTried() throws IOException {
    store(2, WRITE, 0);
    load(2, 0);
    store(2, COPY, 64);

    assertThat(at(HERE)).isEmpty();
  }

  @Test
  void storeThatIsOverwrittenByThenShouldNotBeTried() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    store(3, COPY, 64);
    store(2, WRITE, 0);

    assertThat(at(HERE)).isEmpty();
    assertThat(log().races().get(0).evidence().tried()).isEmpty();
  }

  @Test
  void raceBetweenTwoPlacesShouldBeTriedTwiceAtMost() throws IOException {
    for (int time = 0; time < 5; time++) {
      store(2, WRITE, 128L * time);
      load(3, 128L * time);
      store(3, COPY, 128L * time + 64);
      assertThat(at(HERE).isEmpty()).isEqualTo(time >= 2);
    }
  }

  @Test
  void allPlacesWhereARaceWasTriedShouldBeKnown() throws IOException {
    for (Occurrence place : List.of(HERE, LATER)) {
      store(2, WRITE, place.number() * 256);
      load(3, place.number() * 256);
      store(3, COPY, place.number() * 256 + 64);
      assertThat(at(place)).isNotEmpty();
    }

    assertThat(races.triedAt(places(log()), identity())).containsExactly(HERE, LATER);
    assertThat(log().races().get(0).evidence().tried()).contains(HERE);
    assertThat(races.triedAt(new RacePlaces("some", "others"), identity())).isEmpty();
  }

  /** Each loads the word and stores it. */
  private void count(int thread) throws IOException {
    load(thread, 0);
    store(thread, WRITE, 0);
  }

  @Test
  void latePersistShouldBeOneRaceWhetherOthersStoreOverItBeforeOrNot() throws IOException {
    load(2, 0);
    count(3);
    count(2); // over that of 3
    load(3, 0);
    persist(2, 0);
    persist(3, 0);

    assertThat(analysis.result().races())
        .extracting(Race::end)
        .contains(WindowEnd.PERSISTED, WindowEnd.OVERWRITTEN);
    PersistencyRace race = log().races().get(0).evidence();
    assertThat(log().races()).hasSize(1);
    assertThat(race.end()).isEqualTo(PersistencyRace.End.PERSISTED);
    assertThat(race.level()).isEqualTo(PersistencyRace.Level.OBSERVED);
    assertThat(race.persist().orElseThrow().thread()).isEqualTo(race.store().thread());
    assertThat(race.observations()).isEqualTo(2);
  }

  @Test
  void missingPersistShouldBeOneRaceWhetherOthersStoreOverItOrNot() throws IOException {
    load(2, 0);
    count(3);
    count(2);
    count(3);

    assertThat(analysis.result().races())
        .extracting(Race::end)
        .contains(WindowEnd.NEVER, WindowEnd.OVERWRITTEN);
    assertThat(log().races())
        .extracting(race -> race.evidence().end())
        .containsExactly(PersistencyRace.End.NEVER);
  }

  @Test
  void missingPersistShouldStayBesideALateOne() throws IOException {
    load(2, 0);
    count(3);
    count(2); // over that of 3, which does nothing about it
    load(3, 0);
    persist(2, 0);
    count(3);
    load(2, 0);
    persist(3, 0);

    assertThat(log().races())
        .extracting(race -> race.evidence().end())
        .containsExactlyInAnyOrder(PersistencyRace.End.PERSISTED, PersistencyRace.End.OVERWRITTEN);
  }

  @Test
  void nothingShouldBeSaidOfATargetThatLoadsInOneThreadOnly() throws IOException {
    store(2, WRITE, 0);

    assertThat(races.log(new FindingIdentity(new CodePlaces(module -> Optional.empty()))))
        .isEmpty();
  }
}
