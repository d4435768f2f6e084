// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.races.found.Race;
import io.powercut.races.found.WindowEnd;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.tree.ExcludedFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a program did while it had one thread, and what is left of it when it has more. */
class SoleThreadTest {
  private static final long X = 128;
  private static final long A = 0x6000;

  private final ThreadedTrace trace = new ThreadedTrace();
  private final RaceAnalysis races =
      new RaceAnalysis(
          PersistencyDomain.ADR, trace.tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);

  private ThreadedTrace program() {
    return trace.telling(4096, races);
  }

  private List<String> found() {
    assertThat(races.result().isComplete()).isTrue();
    return races.result().races().stream().map(RaceAnalysisTest::describe).toList();
  }

  @Test
  void shouldFindWhatIsInFlightWhenTheSecondThreadBegins() {
    program().store("persisted", X, 8).persist(X).store("store", X + 64, 8).starts(2);
    trace.by(2).load("load", X, 8).load("load", X + 64, 8);

    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
  }

  @Test
  void shouldHoldTheWriterBehindTheLastStore() {
    program().store("store", X, 8).store("other", X + 64, 8).store("other", X + 64, 8).starts(2);
    trace.by(2).load("load", X, 8);

    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
    assertThat(races.result().races().get(0).example().number()).isEqualTo(3);
  }

  @Test
  void shouldKnowTheLocksThatWereHeldAtAStore() {
    program().lock(A).store("store", X, 8).starts(2).by(2).load("early", X, 8);
    trace.by(1).persist(X).unlock(A).by(2).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("observed: store, PERSISTED persist, early x1");
  }

  @Test
  void shouldNotTakeALaterLockForOneThatWasHeld() {
    program().store("store", X, 8).lock(A).starts(2).by(2).load("early", X, 8);
    trace.by(1).persist(X).unlock(A).by(2).lock(A).load("load", X, 8).unlock(A);

    assertThat(found())
        .containsExactly(
            "observed: store, PERSISTED persist, early x1",
            "lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportNothingThatWasStoredOutsideTheMarks() {
    program().marks(MarkKind.END).store("outside", X, 8).marks(MarkKind.BEGIN);
    trace.store("inside", X + 8, 8).starts(2).by(2).load("load", X, 16);

    assertThat(found()).containsExactly("observed: inside, NEVER, load x1");
  }

  @Test
  void shouldFindWhatAnAllocatorHasStoredAndNotPersisted() {
    program().store("old", X, 16).allocating(0).store("zero", X, 8);
    trace.allocated(0, X, 16).allocationEnded(0).starts(2).by(2).load("load", X, 16);

    assertThat(found()).containsExactly("observed: zero, NEVER, load x1");
  }

  @Test
  void shouldForgetLargeMemoryThatIsAllocated() {
    program().store("old", X, 8).allocates(0, 1L << 40).starts(2).by(2).load("load", X, 8);

    assertThat(found()).isEmpty();
  }

  /** The fence that persists the store comes when another one is over it. */
  @Test
  void shouldKnowThatAStoreWasFlushed() {
    program().store("store", X, 8).clwb(X).starts(2).by(2).load("load", X, 8).store("over", X, 8);
    trace.by(1).fence("late").by(2).persist(X);

    Race race = races.result().races().get(0);
    assertThat(race.end()).isEqualTo(WindowEnd.OVERWRITTEN);
    assertThat(race.own().stack()).isPresent();
  }

  @Test
  void shouldRememberWhoUsedALineFirst() {
    program().store("init", X, 8).persist(X).starts(2, 3);
    trace.by(2).store("store", X, 8).persist(X).by(3).load("load", X, 8);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldSayWhereMoreWasInFlightThanIsKept() {
    program();
    for (int number = 0; number < 5000; number++) {
      trace.store("store", X, 8);
    }
    trace.starts(2).by(2).load("load", X, 8);

    assertThat(races.result().limits()).singleElement().asString().contains("stores in flight");
  }
}
