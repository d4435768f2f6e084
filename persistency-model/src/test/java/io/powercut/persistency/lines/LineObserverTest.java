// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an observer is told of single programs. Stores are named by their ordinals, from 1. */
class LineObserverTest {
  private final TrackedProgram program = new TrackedProgram(PersistencyDomain.ADR, 1 << 16);

  @Test
  void flushAndFenceShouldBeNeededOnceForAStore() {
    program.clwb(0).fence();
    assertThat(program.told()).containsExactly("flush NOTHING_TO_WRITE_BACK", "fence idle");
    program.store(0, 8).clwb(0).clwb(0).fence().fence();
    assertThat(program.told())
        .containsExactly(
            "flush WRITES_BACK",
            "flush NOTHING_TO_WRITE_BACK",
            "fence needed",
            "3 FENCE",
            "fence idle");
  }

  /** Its own fence is over before that of the other thread, which may never come. */
  @Test
  void flushShouldBeNeededThoughAnotherThreadsFlushWaitsForAFence() {
    program.store(0, 8).clwb(0).by(2).clwb(0).fence();
    assertThat(program.told())
        .containsExactly("flush WRITES_BACK", "flush WRITES_BACK", "fence needed", "1 FENCE");
    program.by(1).fence();
    assertThat(program.told()).containsExactly("fence idle");
  }

  @Test
  void laterFlushOfAnotherThreadShouldPersistWhatTheFirstCovers() {
    program.store(0, 8).clwb(0).store(8, 8).by(2).clwb(0).fence();
    assertThat(program.told())
        .containsExactly(
            "flush WRITES_BACK", "flush WRITES_BACK", "fence needed", "1 FENCE", "3 FENCE");
  }

  /** Intel's manual: clflush is ordered with later stores, clwb with fences only. */
  @Test
  void clflushShouldBeNeededBehindAClwbThatWaitsForAFence() {
    program.store(0, 8).clwb(0).flush(FlushKind.CLFLUSH, 0).fence();
    assertThat(program.told())
        .containsExactly("flush WRITES_BACK", "flush WRITES_BACK", "1 CLFLUSH", "fence idle");
  }

  /** A store past the cache does not take the line out of the cache on every processor. */
  @Test
  void flushShouldBeNeededForAStoreThatOnePastTheCacheCameOver() {
    program.store(0, 8).store(0, 8, StoreFlags.NON_TEMPORAL).clwb(0);
    assertThat(program.told()).containsExactly("overwritten 1", "flush WRITES_BACK");
    program.fence().store(0, 8, StoreFlags.NON_TEMPORAL).clwb(0);
    assertThat(program.told())
        .containsExactly("fence needed", "1 FENCE", "2 FENCE", "flush ONLY_NON_TEMPORAL");
  }

  /** A unit of 8 bytes persists as a whole, in the order in which it was stored to. */
  @Test
  void fenceOfAStorePastTheCacheShouldPersistWhatTheUnitHeldBefore() {
    program.store(0, 8).store(8, 8).store(0, 4, StoreFlags.NON_TEMPORAL).fence();
    assertThat(program.told())
        .containsExactly("overwritten 1", "fence needed", "1 FENCE", "3 FENCE");
    assertThat(program.stores()).containsExactly("1:0x0 2 ff00 dirty");
  }

  /** open(2): O_DSYNC. The write goes through the cache, and a line persists in order. */
  @Test
  void synchronousWriteShouldPersistWhatWasCachedInItsLinesBefore() {
    program.store(0, 8).store(64, 8).store(32, 8, StoreFlags.SYNCHRONOUS_WRITE);
    assertThat(program.told()).containsExactly("1 SYNCHRONOUS_WRITE", "3 SYNCHRONOUS_WRITE");
    assertThat(program.stores()).containsExactly("1:0x40 2 ff dirty");
  }

  @Test
  void synchronousWriteShouldNotPersistOtherUnitsStoredPastTheCache() {
    program.store(0, 8, StoreFlags.NON_TEMPORAL).store(32, 8, StoreFlags.SYNCHRONOUS_WRITE);
    assertThat(program.told()).containsExactly("2 SYNCHRONOUS_WRITE");
  }

  /** fsync(2), sync_file_range(2): a length of 0 is up to the end of the file. */
  @Test
  void lengthOfNothingShouldMeanUpToTheEndOfTheFile() {
    program.store(0, 8).store(60_000, 8).sync(SyncKind.FSYNC, 0, 0);
    assertThat(program.told()).containsExactly("sync needed", "1 SYNC", "2 SYNC");
    program.store(0, 8).store(60_000, 8).sync(SyncKind.FDATASYNC, 4096, 0);
    assertThat(program.told()).containsExactly("sync needed", "6 SYNC");
    program.sync(SyncKind.FDATASYNC, 1 << 16, 0);
    assertThat(program.told()).containsExactly("sync idle");
  }

  /** msync(2): the kernel writes pages. */
  @Test
  void msyncShouldPersistWholePagesAndNothingBehindThem() {
    program.store(4000, 8).store(4096, 8).sync(SyncKind.MSYNC, 0, 1);
    assertThat(program.told()).containsExactly("sync needed", "1 SYNC");
    program.store(8000, 8).sync(SyncKind.FDATASYNC, 4096, 64);
    assertThat(program.told()).containsExactly("sync needed", "2 SYNC");
  }

  @Test
  void synchronisationShouldNotPersistWhatIsStoredWhileItRuns() {
    program.store(0, 8);
    TraceEvent.Sync sync = program.begin(SyncKind.FSYNC, 0, 0);
    program.store(8, 8).end(sync, 0);
    assertThat(program.told()).containsExactly("sync needed", "1 SYNC");
    assertThat(program.stores()).containsExactly("1:0x0 3 ff00 dirty");
    TraceEvent.Sync again = program.begin(SyncKind.FSYNC, 64, 0);
    program.store(64, 8).end(again, 0);
    assertThat(program.told()).containsExactly("sync idle");
  }

  @Test
  void synchronisationThatPromisesNothingOrFailsShouldPersistNothing() {
    program.store(0, 8);
    for (SyncKind kind : SyncKind.values()) {
      if (!kind.isGuarantee()) {
        program.sync(kind, 0, 0);
        program.end(program.begin(kind, 0, 0), 5);
      }
    }
    assertThat(program.told()).isEmpty();
    program.end(program.begin(SyncKind.FSYNC, 0, 0), 5);
    program.end(program.begin(SyncKind.MSYNC, 0, 1), 22);
    assertThat(program.told()).containsExactly("sync failed for 1024", "sync failed for 64");
    program.sync(SyncKind.SYNC, 0, 0);
    assertThat(program.told()).containsExactly("sync needed", "1 SYNC");
  }

  @Test
  void storesThatAreCutOffShouldBeGoneAndNotPersisted() {
    program.store(0, 8).store(4096, 8);
    program.event(new TraceEvent.FileResized(program.next(), 1, TrackedProgram.FILE, 4096));
    assertThat(program.told()).containsExactly("2 GONE");
    program.event(
        new TraceEvent.FileDeleted(program.next(), 1, TrackedProgram.FILE, "pool1", false));
    assertThat(program.told()).containsExactly("1 GONE");
    program.store(0, 8).clwb(0).fence();
    assertThat(program.told()).containsExactly("flush LOST_FILE", "fence idle");
  }

  @Test
  void fenceShouldBeIdleForALineThatAnotherWayPersistedMeanwhile() {
    program.store(0, 8).clwb(0).sync(SyncKind.MSYNC, 0, 64).store(8, 8);
    program.told();
    program.fence();
    assertThat(program.told()).containsExactly("fence idle");
  }

  @Test
  void storesAndSynchronisationsShouldBeToldOfAsTheyBegin() {
    List<String> told = new ArrayList<>();
    program
        .tracker()
        .tell(
            new LineObserver() {
              @Override
              public void stored(StoreRecord record, long store) {
                told.add("record " + record.ordinal() + " of " + store);
              }

              @Override
              public void inFlight(InFlightStore store, LineHistory line) {
                told.add(store.ordinal() + " in flight in " + Location.offset(line.location()));
              }

              @Override
              public void fenced(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines) {
                told.add(
                    "fence " + thread.stored() + thread.needsFence() + thread.flushedInOrder());
              }

              @Override
              public void wroteSynchronously(LineRange lines) {
                told.add("wrote " + Location.offset(lines.first()) + " to " + lines.count());
              }

              @Override
              public void synchronising(TraceEvent.Sync sync, List<LineRange> lines) {
                told.add("sync of " + lines.stream().map(LineRange::count).toList());
              }
            });
    program.store(60, 8, StoreFlags.MORE).store(68, 4);
    assertThat(told)
        .containsExactly(
            "record 1 of 1",
            "1 in flight in 0",
            "1 in flight in 64",
            "record 2 of 1",
            "1 in flight in 64");
    told.clear();
    program.fence().flush(FlushKind.CLFLUSH, 4096).fence().clwb(4096).fence().fence();
    assertThat(told)
        .containsExactly(
            "fence truefalsefalse",
            "fence falsefalsetrue",
            "fence falsetruefalse",
            "fence falsefalsefalse");
    told.clear();
    program.store(100, 64, StoreFlags.SYNCHRONOUS_WRITE);
    program.store(1 << 16, 64, StoreFlags.SYNCHRONOUS_WRITE);
    assertThat(told).contains("wrote 64 to 2").hasSize(5);
    told.clear();
    program.sync(SyncKind.FDATASYNC, 64, 65).sync(SyncKind.DIRECTORY, 0, 0);
    assertThat(told).containsExactly("sync of [2]", "sync of []");
  }

  @Test
  void trackerShouldKnowWhatIsInFlight() {
    CacheLineTracker tracker = program.tracker();
    assertThat(tracker.domain()).isEqualTo(PersistencyDomain.ADR);
    program.store(0, 8).store(4096, 8);
    assertThat(tracker.size()).isEqualTo(2);
    assertThat(tracker.placesInFlight()).containsExactly(1);
    assertThat(tracker.keepsValues()).isTrue();
    CacheLineTracker other = CacheLineTracker.withoutContents(PersistencyDomain.EADR);
    assertThat(other.domain()).isEqualTo(PersistencyDomain.EADR);
    assertThat(other.keepsValues()).isFalse();
  }

  /** All but two of the lines are kept in few bytes. */
  @Test
  void rangesShouldDepartFromLinesThatAreKeptInFewBytes() {
    TrackedProgram many = new TrackedProgram(PersistencyDomain.ADR, 1 << 16, 2);
    for (int line = 0; line < 40; line++) {
      many.store(64L * line, 8);
    }
    assertThat(many.tracker().size()).isEqualTo(40);
    many.event(new TraceEvent.FileZeroed(many.next(), 1, TrackedProgram.FILE, 10 * 64, 5 * 64));
    assertThat(many.departed())
        .containsExactly(
            "11 from line 10",
            "12 from line 11",
            "13 from line 12",
            "14 from line 13",
            "15 from line 14");
    TraceEvent.Sync sync = many.begin(SyncKind.SYNC_FILE_RANGE, 0, 0);
    assertThat(sync.length()).isZero();
    many.sync(SyncKind.FDATASYNC, 0, 10 * 64);
    assertThat(many.departed()).hasSize(10);
    many.clwb(20 * 64).clwb(30 * 64).clwb(31 * 64).clwb(32 * 64).fence();
    assertThat(many.departed()).hasSize(4);
    many.event(new TraceEvent.FileResized(many.next(), 1, TrackedProgram.FILE, 35 * 64));
    assertThat(many.departed()).hasSize(5);
    assertThat(many.tracker().size()).isEqualTo(16);
    assertThat(many.stores()).hasSize(16);
    many.sync(SyncKind.FDATASYNC, 0, 0);
    assertThat(many.tracker().size()).isZero();
    assertThat(many.tracker().inFlightPlaces()).isZero();
  }

  @Test
  void cachesThatSurviveShouldNeedNoFlushes() {
    TrackedProgram eadr = new TrackedProgram(PersistencyDomain.EADR, 1 << 16);
    eadr.store(0, 8).clwb(0).fence().store(0, 8, StoreFlags.NON_TEMPORAL).fence();
    assertThat(eadr.told())
        .containsExactly("flush CACHE_IS_PERSISTENT", "fence idle", "fence needed", "4 FENCE");
  }

  /** They would be read from a file that is closed, but only where they did not fit in memory. */
  @Test
  void linesShouldNotBeAskedForOnceTheirContentsAreGone() {
    List<LineHistory> lines = new ArrayList<>();
    program.store(0, 8).tracker().forEachLine(lines::add);
    assertThat(lines).hasSize(1);

    program.tracker().close();
    assertThatIllegalStateException()
        .isThrownBy(() -> program.tracker().forEachLine(lines::add))
        .withMessageContaining("contents are gone");
  }
}
