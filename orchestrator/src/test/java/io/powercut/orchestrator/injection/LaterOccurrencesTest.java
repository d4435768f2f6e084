// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is judged after the first occurrences, and how many there is time for. */
class LaterOccurrencesTest {
  private static final FailurePointId ONE = new FailurePointId(1);
  private static final FailurePointId OTHER = new FailurePointId(2);

  private static Occurrence at(FailurePointId id, long number) {
    return new Occurrence(id, number);
  }

  @Test
  void partShouldHaveItsOccurrencesAndTheEndOnlyIfThatIsItsOwn() {
    Later all =
        new Later(
            Map.of(at(ONE, 1), StateShare.USUAL),
            Set.of(at(OTHER, 2)),
            Set.of(at(ONE, 3)),
            Set.of(),
            true);
    Later part = all.of(OTHER::equals);

    assertThat(all.size()).isEqualTo(3);
    assertThat(part.first()).isEmpty();
    assertThat(part.other()).containsExactly(at(OTHER, 2));
    assertThat(part.theEnd()).isFalse();
    assertThat(Later.NOTHING.isEmpty()).isTrue();
    assertThat(Later.NOTHING.with(Set.of(at(ONE, 4))).further()).containsExactly(at(ONE, 4));
    assertThat(new Later(Map.of(), Set.of(), Set.of(), Set.of(), true).isEmpty()).isFalse();
  }

  @Test
  void timeShouldBeAShareOfWhatInjectionTook() {
    FurtherTime none = new FurtherTime(Duration.ofMinutes(10), 6000, 0);
    FurtherTime half = new FurtherTime(Duration.ofMinutes(10), 6000, 50);
    FurtherTime least = new FurtherTime(Duration.ofMillis(100), 1, 10);

    assertThat(none.affordable()).isZero();
    assertThat(half.affordable()).isBetween(2900L, 3000L);
    assertThat(least.affordable()).isBetween(25L, 30L);
  }

  @Test
  void paceOfTheLastPassShouldCountForTheNextOne() throws InterruptedException {
    FurtherTime time = new FurtherTime(Duration.ofMinutes(10), 6_000_000, 50);
    time.begin();
    Thread.sleep(2);
    time.end(1);

    assertThat(time.affordable()).isLessThan(200_000);
  }

  @Test
  void storesShouldBeUnusualThatTheOccurrenceBeforeDidNotHave() throws IOException {
    CacheLineTracker tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
    tracker.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 4096, "pool"));
    UnusualStores unusual = new UnusualStores(Set.of(at(ONE, 2)), numbers -> Set.of(30));
    store(tracker, 1, 10);

    assertThat(unusual.at(at(ONE, 1), tracker).places()).isEmpty();
    store(tracker, 2, 20);
    store(tracker, 3, 30);
    assertThat(unusual.at(at(ONE, 2), tracker).places()).containsExactly(20);
    assertThat(unusual.at(at(ONE, 3), tracker).places()).isEmpty();
  }

  private static void store(CacheLineTracker tracker, long ordinal, int site) throws IOException {
    tracker.store(
        new StoreRecord(
            ordinal, 1, 0, site, site, Location.of(1, site * 64L), 8, ByteBuffer.allocate(8), 0));
  }
}
