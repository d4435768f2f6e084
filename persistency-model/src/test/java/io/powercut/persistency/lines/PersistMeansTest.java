// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import org.junit.jupiter.api.Test;

/** A pool that is mapped directly, and a log in a file system. */
class PersistMeansTest {
  private static final int POOL = 1;
  private static final int LOG = 2;
  private static final int OTHER = 3;

  private final CacheLineTracker tracker =
      new CacheLineTracker(PersistencyDomain.ADR, (file, offset, into) -> {});

  PersistMeansTest() {
    for (int file : new int[] {POOL, LOG, OTHER}) {
      tracker.event(
          new TraceEvent.FileDefined(
              0, 1, file, TraceEvent.FileState.EXISTING, 4096, "file" + file));
    }
  }

  private void flush(int file) {
    tracker.flush(1, 1, FlushKind.CLWB, 0, 0, Location.of(file, 0));
  }

  private void synchronise(int file, int error) {
    TraceEvent.Sync call =
        new TraceEvent.Sync(2, 1, SyncKind.MSYNC, 0, 0, Location.of(file, 0), 64);
    tracker.event(call);
    tracker.event(new TraceEvent.SyncEnded(3, 1, call, error));
  }

  @Test
  void eachFileShouldBePersistedAsTheProgramDoesIt() {
    flush(POOL);
    synchronise(LOG, 0);

    assertThat(tracker.means().areInstructionsFor(POOL)).isTrue();
    assertThat(tracker.means().areInstructionsFor(LOG)).isFalse();
    assertThat(tracker.means().areInstructionsFor(OTHER)).as("as the others").isTrue();
  }

  @Test
  void flushedFileShouldStaySoWhenItIsSynchronisedOnce() {
    synchronise(POOL, 0);
    flush(POOL);

    assertThat(tracker.means().areInstructionsFor(POOL)).isTrue();
  }

  @Test
  void callThatFailsShouldNotCount() {
    flush(POOL);
    synchronise(LOG, 5);

    assertThat(tracker.means().areInstructionsFor(LOG)).isTrue();
  }

  @Test
  void programWithoutFlushesShouldNeedCalls() {
    assertThat(tracker.means().areInstructionsFor(POOL)).isFalse();
  }
}
