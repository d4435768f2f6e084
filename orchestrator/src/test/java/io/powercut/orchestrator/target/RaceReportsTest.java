// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.RaceExample;
import io.powercut.races.found.WindowEnd;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.trace.LockKind;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What reports show of a race. */
class RaceReportsTest {
  private static CallStack at(String function) {
    return CallStack.of(Frame.of("program", 16, function, "program.c", 7));
  }

  private static RaceExample.Step step(int thread, RaceExample.LockHeld... held) {
    return new RaceExample.Step(10L * thread, thread, List.of(held));
  }

  private static PersistencyRace shown(WindowEnd end, Optional<RaceExample.Step> ending) {
    return shown(end, ending, List.of(), Optional.empty());
  }

  private static PersistencyRace shown(
      WindowEnd end,
      Optional<RaceExample.Step> ending,
      List<Race.Tried> places,
      Optional<Occurrence> tried) {
    RaceExample.LockHeld lock =
        new RaceExample.LockHeld(LockKind.READER_WRITER_LOCK, 0x40, true, Optional.of(at("enter")));
    Race race =
        new Race(
            RaceEvidence.REGION,
            at("write_slot"),
            end,
            ending.map(step -> at("commit")),
            at("read_slot"),
            0,
            new RaceExample("pool", 64, 8, OptionalLong.of(42), step(2), 1, ending, step(3, lock)),
            List.of(),
            true,
            places,
            Race.Own.UNKNOWN);
    return RaceReports.of(race, tried);
  }

  @Test
  void stepsShouldSayWhereByWhomAndWithWhichLocks() {
    PersistencyRace race = shown(WindowEnd.PERSISTED, Optional.of(step(2)));

    assertThat(race.store().inWords())
        .isEqualTo("write_slot at program.c:7, by thread 2, which holds no lock");
    assertThat(race.persist().orElseThrow().stack().get(0).function()).isEqualTo("commit");
    assertThat(race.load().inWords())
        .isEqualTo(
            "read_slot at program.c:7, by thread 3, which holds reader writer lock 0x40 (shared)"
                + " since enter at program.c:7");
    assertThat(race.bytesInWords())
        .isEqualTo("8 bytes at 0x40 of pool (0x2a stored), at almost the same time");
  }

  @Test
  void allPlacesShouldBeKnownWhereItWasTried() {
    FailurePointId id = new FailurePointId(7);
    List<Race.Tried> places = List.of(new Race.Tried(id, 2), new Race.Tried(id, 5));

    assertThat(
            shown(WindowEnd.NEVER, Optional.empty(), places, Optional.of(new Occurrence(id, 2, 3)))
                .tries())
        .containsExactly(new Occurrence(id, 2, 3), new Occurrence(id, 5, 3));
    assertThat(shown(WindowEnd.NEVER, Optional.empty(), places, Optional.empty()).tries())
        .as("other races were wanted")
        .isEmpty();
  }

  @Test
  void whatIsNeverPersistedShouldHaveNoPersist() {
    PersistencyRace race = shown(WindowEnd.NEVER, Optional.empty());

    assertThat(race.end()).isEqualTo(PersistencyRace.End.NEVER);
    assertThat(race.persist()).isEmpty();
    assertThat(race.kind()).isEqualTo("REGION_RACE");
  }
}
