// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.races.RaceAnalysis;
import io.powercut.races.RaceOptions;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.rundir.RaceLog;
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
      RaceAnalysis.observing(
          tracker, PersistencyDomain.ADR, tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);
  private final TriedRaces races = new TriedRaces(analysis);
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

  private void load(int thread, long offset) {
    analysis.load(ordinal++, thread, 0, READ, READ, Location.of(1, offset), 8);
  }

  private RaceLog log() {
    return races.log(new FindingIdentity(new CodePlaces(module -> Optional.empty()))).orElseThrow();
  }

  @Test
  void crashShouldBeTriedOnceTheReaderHasStoredSomething() throws IOException {
    store(2, WRITE, 0);
    assertThat(races.at(HERE)).isEmpty();
    load(3, 0);
    assertThat(races.at(HERE)).isEmpty();
    store(3, COPY, 64);

    assertThat(races.at(HERE)).isEqualTo(Set.of(WRITE));
    assertThat(races.at(LATER)).isEmpty();
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

    assertThat(races.at(HERE)).isEmpty();
  }

  @Test
  void storeThatIsOverwrittenByThenShouldNotBeTried() throws IOException {
    store(2, WRITE, 0);
    load(3, 0);
    store(3, COPY, 64);
    store(2, WRITE, 0);

    assertThat(races.at(HERE)).isEmpty();
    assertThat(log().races().get(0).evidence().tried()).isEmpty();
  }

  @Test
  void raceBetweenTwoPlacesShouldBeTriedTwiceAtMost() throws IOException {
    for (int time = 0; time < 5; time++) {
      store(2, WRITE, 128L * time);
      load(3, 128L * time);
      store(3, COPY, 128L * time + 64);
      assertThat(races.at(HERE).isEmpty()).isEqualTo(time >= 2);
    }
  }

  @Test
  void nothingShouldBeSaidOfATargetThatLoadsInOneThreadOnly() throws IOException {
    store(2, WRITE, 0);

    assertThat(races.log(new FindingIdentity(new CodePlaces(module -> Optional.empty()))))
        .isEmpty();
  }
}
