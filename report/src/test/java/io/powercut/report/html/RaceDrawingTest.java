// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.PersistencyRace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the drawing of a race claims. */
class RaceDrawingTest {
  private static RaceDrawing drawing(long store, long persist, long load) {
    return RaceDrawing.of(SampleRuns.race("observed", store, persist, load, Optional.empty()));
  }

  @Test
  void loadBetweenStoreAndPersistShouldBeInTheShadedTimeWithACrashBehindIt() {
    RaceDrawing drawing = drawing(10, 30, 20);

    assertThat(drawing.marks())
        .extracting(RaceDrawing.Mark::kind)
        .containsExactly("store", "load", "persist");
    int load = drawing.marks().get(1).y();
    assertThat(drawing.from()).isEqualTo(drawing.marks().get(0).y());
    assertThat(drawing.to()).isEqualTo(drawing.marks().get(2).y());
    assertThat(drawing.crash().orElseThrow()).isStrictlyBetween(load, drawing.to());
  }

  @Test
  void loadAtAnotherTimeShouldBeOutsideAndHaveNoCrash() {
    RaceDrawing late = drawing(10, 30, 50);
    RaceDrawing early = drawing(10, 30, 5);

    assertThat(late.marks().get(2).y()).isGreaterThan(late.to());
    assertThat(late.crash()).isEmpty();
    assertThat(early.marks().get(0).kind()).isEqualTo("load");
    assertThat(early.marks().get(0).y()).isLessThan(early.from());
    assertThat(early.crash()).isEmpty();
  }

  @Test
  void eachThreadShouldHaveALaneAndTheWriterTheFirst() {
    RaceDrawing drawing = drawing(10, 30, 5);

    assertThat(drawing.lanes()).extracting(RaceDrawing.Lane::thread).containsExactly(2, 3);
    assertThat(drawing.marks().get(0).x()).isEqualTo(drawing.lanes().get(1).x());
    assertThat(drawing.marks().get(1).x()).isEqualTo(drawing.lanes().get(0).x());
  }

  @Test
  void lockThatIsGivenBackBeforeThePersistShouldNotReachIt() {
    RaceDrawing drawing = drawing(10, 30, 50);

    assertThat(drawing.locks()).hasSize(2);
    RaceDrawing.Bar writers = drawing.locks().get(0);
    assertThat(writers.from()).isLessThan(drawing.from());
    assertThat(writers.to()).isBetween(drawing.from(), drawing.to());
  }

  @Test
  void whatIsNeverPersistedShouldBeShadedToTheEnd() {
    PersistencyRace persisted = SampleRuns.race("observed", 10, 30, 20, Optional.empty());
    RaceDrawing drawing =
        RaceDrawing.of(
            new PersistencyRace(
                PersistencyRace.Level.OBSERVED,
                PersistencyRace.End.NEVER,
                persisted.store(),
                Optional.empty(),
                persisted.load(),
                "pool",
                0,
                8,
                Optional.empty(),
                1,
                true,
                1,
                1,
                Optional.empty(),
                List.of(),
                Optional.empty()));

    assertThat(drawing.to()).isGreaterThan(drawing.marks().get(1).y());
    assertThat(drawing.crash()).isPresent();
  }
}
