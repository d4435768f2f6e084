// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracePatternsTest {
  private static final long SIZE = 1 << 16;

  private final TestTrace trace = new TestTrace();
  private CacheLineTracker tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
  private TracePatterns patterns =
      TracePatterns.observing(tracker, trace.tables, ExcludedFunctions.NONE, true);

  /** A program with one file. */
  private TestTrace program() {
    return trace.telling(patterns, tracker).file(1, SIZE);
  }

  private TestTrace programWithEadr() {
    tracker = CacheLineTracker.withoutContents(PersistencyDomain.EADR);
    patterns = TracePatterns.observing(tracker, trace.tables, ExcludedFunctions.NONE, true);
    return program();
  }

  private List<String> reports() {
    return patterns.result().reports().stream().map(TracePatternsTest::describe).toList();
  }

  private static String describe(PatternReport report) {
    StringBuilder text = new StringBuilder(report.severity().name());
    text.append(' ').append(report.kind().label()).append(" x").append(report.count());
    for (Involved involved : report.involved()) {
      text.append(' ')
          .append(involved.role())
          .append('=')
          .append(involved.stack().innermost().function());
    }
    return text.toString();
  }

  private String seen() {
    assertThat(patterns.result().reports()).hasSize(1);
    return patterns.result().reports().get(0).seen();
  }

  @Test
  void whatIsNeededAtOtherTimesShouldNotBeLeftOut() {
    program().store("a", 0, 8).clwb("f", 0).sfence("s").sfence("s");
    assertThat(seen())
        .startsWith("fenced once")
        .endsWith("; at other times it is needed, so skip it only where it is not");
  }

  @Test
  void flushThatIsNeededAtOtherTimesShouldNotBeLeftOut() {
    program().store("a", 0, 8).clwb("f", 0).clwb("f", 0).sfence("s");
    assertThat(seen())
        .startsWith("flushed once")
        .endsWith("; at other times it is needed, so skip it only where it is not");
  }

  @Test
  void whatIsNeverNeededShouldBeLeftOut() {
    program().store("a", 0, 8).clwb("f", 0).sfence("s").sfence("t");
    assertThat(seen()).endsWith("; leave this fence out");
  }

  // Not persisted, transient data

  @Test
  void shouldAcceptAStoreThatIsFlushedAndFenced() {
    program().store("a", 0, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).isEmpty();
    assertThat(patterns.result().totals()).isEqualTo(new PatternTotals(1, 1, 1, 0, 0));
  }

  @Test
  void shouldGiveUpWhenTooMuchIsNotPersistedAtOnce() {
    long size = 64L * (TracePatterns.MOST_LINES + 10);
    TestTrace program = trace.telling(patterns, tracker).file(1, size);
    for (long at = 0; at < 64L * TracePatterns.MOST_LINES; at += 64) {
      program.store("a", at, 8);
    }
    assertThat(patterns.isOverwhelmed()).isFalse();
    for (long at = 64L * TracePatterns.MOST_LINES; at < size; at += 64) {
      program.store("a", at, 8);
    }
    assertThat(patterns.isOverwhelmed()).isTrue();
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldTakeWhatALockLeavesForTransientThoughItsLineIsFlushed() {
    program()
        .store("data", 0, 8)
        .clwb("f", 0)
        .sfence("s")
        .store("__pthread_mutex_unlock_usercnt", 8, 4)
        .store("___pthread_mutex_lock", 12, 4)
        .store("pthread_lookalike", 16, 4);
    assertThat(reports())
        .containsExactlyInAnyOrder(
            "WARNING not-persisted x1 STORE=pthread_lookalike",
            "WARNING transient-data x1 STORE=___pthread_mutex_lock",
            "WARNING transient-data x1 STORE=__pthread_mutex_unlock_usercnt");
  }

  @Test
  void shouldReportAMissingFlushWhereTheLineWasFlushedBefore() {
    program().store("a", 0, 8).clwb("f", 0).sfence("s").store("b", 32, 8);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=b");
    assertThat(seen()).startsWith("left 1 cache line without a flush");
    assertThat(patterns.result().reports().get(0).file()).isEqualTo("pool1");
    assertThat(patterns.result().reports().get(0).offset()).isEqualTo(32);
  }

  /** Nobody who persists by msync would know what to do with a flush and a fence. */
  @Test
  void shouldSpeakOfSynchronisationWhereTheRunHasNoFlush() {
    program().store("a", 0, 8).sync(SyncKind.MSYNC, 0, 4096).store("b", 32, 8);
    assertThat(seen()).startsWith("left 1 cache line without msync or fsync behind the store");
  }

  @Test
  void shouldSpeakOfSynchronisationUnlessTheRunHasAFlush() {
    program().sync(SyncKind.MSYNC, 4096, 4096).store("b", 32, 8);
    assertThat(seen()).startsWith("left 1 cache line that nothing in the run synchronises; call");
    trace.clwb("f", 64);
    assertThat(patterns.result().reports())
        .extracting(PatternReport::seen)
        .anyMatch(seen -> seen.startsWith("left 1 cache line that nothing in the run flushes"));
  }

  @Test
  void shouldReportAMissingFenceWithTheFlush() {
    program().store("a", 0, 8).clwb("f", 0);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a FLUSH=f");
    assertThat(seen()).contains("without a fence");
  }

  @Test
  void shouldReportAFenceInFrontOfTheFlush() {
    program().store("a", 0, 8).sfence("s").clwb("f", 0);
    assertThat(reports())
        .containsExactly(
            "WARNING not-persisted x1 STORE=a FLUSH=f", "PERFORMANCE redundant-fence x1 FENCE=s");
  }

  @Test
  void shouldWarnOfTransientDataWhereTheLineIsNeverFlushed() {
    program().store("a", 0, 8).store("a", 640, 8).store("a", 648, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x2 STORE=a");
  }

  @Test
  void shouldReportTheOtherLineOfAStoreThatStraddles() {
    program().store("other", 64, 8).clwb("f", 64).sfence("s");
    trace.store("a", 60, 8).clwb("g", 0).sfence("s");
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a");
    assertThat(patterns.result().reports().get(0).offset()).isEqualTo(64);
  }

  @Test
  void shouldKeepWhatALaterStoreLeavesOfAnEarlierOne() {
    program().store("a", 0, 8).clwb("f", 0).store("b", 4, 4);
    assertThat(reports())
        .containsExactly(
            "WARNING not-persisted x1 STORE=a FLUSH=f",
            "WARNING not-persisted x1 STORE=b",
            "WARNING dirty-overwrite x1 STORE=b OVERWRITTEN_STORE=a");
  }

  @Test
  void shouldTakeLockedInstructionsAsFences() {
    program().store("a", 0, 8).clwb("f", 0).fence(FenceKind.LOCKED, "l");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldWantAFlushForTheStoreOfALockedInstructionItself() {
    program().fence(FenceKind.LOCKED, "l").store("l", StoreFlags.LOCKED, 0, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=l");
  }

  @Test
  void shouldTakeClflushAsPersistingAtOnce() {
    program().store("a", 0, 8).flush(FlushKind.CLFLUSH, "f", Location.of(1, 0));
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldReportAFenceBehindClflushAlone() {
    program().store("a", 0, 8).flush(FlushKind.CLFLUSH, "f", Location.of(1, 0)).sfence("s");
    trace.store("a", 0, 8).flush(FlushKind.CLFLUSH, "f", Location.of(1, 0)).store("b", 64, 8);
    trace.clwb("g", 64).sfence("t");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-fence x1 FENCE=s");
  }

  @Test
  void shouldAcceptAnMfenceBehindClflush() {
    program().store("a", 0, 8).flush(FlushKind.CLFLUSH, "f", Location.of(1, 0));
    trace.fence(FenceKind.MFENCE, "m");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldReportTwoStoresPastTheCacheToOneLine() {
    program().nonTemporal("a", 0, 8).nonTemporal("b", 8, 8).sfence("s");
    assertThat(reports()).containsExactly("WARNING unordered-fence x1 FENCE=s STORE=a STORE=b");
  }

  @Test
  void shouldTakeTheStoresOfOneInstructionPastTheCacheToALineForACopy() {
    program().nonTemporal("a", 0, 8).nonTemporal("a", 8, 8).sfence("s");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldTakeOneStorePastTheCacheInPiecesForOne() {
    program().store("a", StoreFlags.NON_TEMPORAL | StoreFlags.MORE, 0, 8);
    trace.store("a", StoreFlags.NON_TEMPORAL, 16, 8).sfence("s");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldPersistWithClflushWhatWaitsForAnotherThreadsFence() {
    program().store("a", 0, 8).by(2).clwb("f", 0).by(1);
    trace.flush(FlushKind.CLFLUSH, "g", Location.of(1, 0));
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldNeedAFlushOfAThreadThatDoesNotWaitForAnothersFence() {
    program().store("a", 0, 8).clwb("f", 0).by(2).clwb("g", 0).sfence("s");
    assertThat(reports()).isEmpty();
    trace.by(1).clwb("f", 0);
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x1 FLUSH=f EARLIER_FLUSH=g");
  }

  @Test
  void shouldPersistWithASynchronousWriteWhatWasStoredToItsLineBefore() {
    program().store("a", 0, 8).store("b", 64, 8);
    trace.store("write", StoreFlags.SYNCHRONOUS_WRITE, 32, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=b");
  }

  @Test
  void shouldNotPersistByASynchronisationWhatThePlaceStoresWhileItRuns() {
    program().store("a", 0, 8);
    TraceEvent.Sync sync = trace.syncBegins(SyncKind.FSYNC, 0, 0);
    trace.store("a", 8, 8).syncEnds(sync, 0);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a");
  }

  @Test
  void shouldPersistWithAFenceWhatItsStorePastTheCacheCameOver() {
    program().store("a", 0, 8).nonTemporal("n", 0, 4).sfence("s");
    assertThat(reports()).containsExactly("WARNING dirty-overwrite x1 STORE=n OVERWRITTEN_STORE=a");
  }

  @Test
  void shouldNeedTheFlushOfAPlainStoreThatAStorePastTheCacheCameOver() {
    program().store("a", 0, 8).nonTemporal("n", 0, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("WARNING dirty-overwrite x1 STORE=n OVERWRITTEN_STORE=a");
  }

  @Test
  void shouldWantAFenceForClflushopt() {
    program().store("a", 0, 8).flush(FlushKind.CLFLUSHOPT, "f", Location.of(1, 0));
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a FLUSH=f");
  }

  @Test
  void shouldNotCountWhatLiesBehindTheEndOfTheFile() {
    program().file(2, 100).in(2).store("a", 96, 8).clwb("f", 96).sfence("s");
    trace.store("b", 100, 28).store("c", 128, 8);
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldKnowAnEventWithoutAStackByItsInstruction() {
    program().withoutStacks().store("a", 0, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=a");
  }

  @Test
  void shouldKnowTheSameStackUnderTheIdsOfTwoProcesses() throws IOException {
    program().store("a", 0, 8);
    TraceEvent.SiteDefined site =
        new TraceEvent.SiteDefined(
            trace.nextOrdinal(), 2, 90, 1, 0x10, List.of(new SourcePosition("a", "program.c", 1)));
    trace.tell(site);
    trace.tell(
        new TraceEvent.StackDefined(
            trace.nextOrdinal(), 2, 91, trace.tables.stack(1).id(), false, List.of(90)));
    tracker.store(
        new StoreRecord(
            trace.nextOrdinal(), 2, 0, 90, 91, Location.of(1, 640), 8, ByteBuffer.allocate(8), 0));
    assertThat(reports()).containsExactly("WARNING transient-data x2 STORE=a");
  }

  // Threads

  @Test
  void shouldAcceptAFlushAndFenceOfAnotherThread() {
    program().by(1).store("a", 0, 8).by(2).clwb("f", 0).sfence("s");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldNotAcceptTheFenceOfAnotherThreadThanThatWhichFlushed() {
    program().by(1).store("a", 0, 8).by(2).clwb("f", 0).by(1).sfence("s");
    assertThat(reports())
        .containsExactly(
            "WARNING not-persisted x1 STORE=a FLUSH=f", "PERFORMANCE redundant-fence x1 FENCE=s");
  }

  @Test
  void shouldWaitForTheStoringThreadsFenceAfterANonTemporalStore() {
    program().by(1).nonTemporal("a", 0, 8).by(2).clwb("f", 640).sfence("s");
    assertThat(reports())
        .containsExactly(
            "WARNING transient-data x1 STORE=a", "PERFORMANCE redundant-flush x1 FLUSH=f");
    trace.by(1).sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x1 FLUSH=f");
  }

  // Synchronisation, files

  @Test
  void shouldPersistByWholePagesWithMsync() {
    program().store("a", 4000, 8).nonTemporal("b", 64, 8).store("c", 4096, 8);
    trace.store("d", 0, 8).clwb("f", 0).sync(SyncKind.MSYNC, 0, 10);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=c");
  }

  @Test
  void shouldReportAStoreBehindAnMsyncAsABug() {
    program().store("a", 0, 8).sync(SyncKind.MSYNC, 0, 4096).store("a", 0, 8);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a");
  }

  @Test
  void shouldPersistToTheEndOfTheFileWithFsyncAndAllFilesWithSync() {
    program().file(2, SIZE).store("a", SIZE - 8, 8).in(2).store("b", 0, 8).in(1);
    trace.sync(SyncKind.FSYNC, 0, 0);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=b");
    trace.sync(SyncKind.SYNC, 0, 0);
    assertThat(reports()).isEmpty();
    trace.in(1).store("a", SIZE - 8, 8).sync(SyncKind.FDATASYNC, 64, 0);
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldNotRelyOnWhatPromisesNothingButSeeItsPurpose() {
    program().store("a", 0, 8).sync(SyncKind.MSYNC_ASYNC, 0, 4096);
    trace.store("b", 8192, 8).sync(SyncKind.SYNC_FILE_RANGE, 8192, 4096);
    assertThat(reports())
        .containsExactlyInAnyOrder(
            "WARNING not-persisted x1 STORE=a", "WARNING not-persisted x1 STORE=b");
  }

  @Test
  void whatIsOnlyWrittenWithoutWaitingShouldNotBeSaidToBeSynchronisedElsewhere() {
    program().store("a", 0, 8).sync(SyncKind.MSYNC_ASYNC, 0, 4096);
    assertThat(seen())
        .isEqualTo(
            "left 1 cache line for which nothing but msync(MS_ASYNC) or sync_file_range is called,"
                + " and these persist nothing; call msync(MS_SYNC) or fsync behind the store");
    trace.sync(SyncKind.MSYNC, 0, 4096).store("a", 0, 8);
    assertThat(seen()).contains("synchronised at another time in the run");
  }

  @Test
  void callThatFailedShouldBeNamedWhereItWasMeantToPersist() {
    program().store("a", 0, 8);
    trace.syncEnds(trace.syncBegins(SyncKind.MSYNC, 0, 4096), 22);
    assertThat(seen())
        .isEqualTo(
            "left 1 cache line for which msync or fsync was called and failed, and so persisted"
                + " nothing; check what the call returns, and why it fails");
    trace.sync(SyncKind.MSYNC, 0, 4096).store("b", 8192, 8);
    assertThat(seen()).contains("nothing in the run synchronises");
  }

  @Test
  void shouldNotRelyOnASynchronisationThatFailsOrIsNotOver() {
    program().store("a", 0, 8).store("b", 8192, 8);
    trace.syncEnds(trace.syncBegins(SyncKind.MSYNC, 0, 4096), 22);
    trace.syncBegins(SyncKind.MSYNC, 8192, 4096);
    assertThat(reports())
        .containsExactlyInAnyOrder(
            "WARNING not-persisted x1 STORE=a", "WARNING not-persisted x1 STORE=b");
  }

  @Test
  void shouldNotRelyOnASynchronisationForWhatIsStoredWhileItRuns() {
    program().store("a", 0, 8);
    TraceEvent.Sync sync = trace.syncBegins(SyncKind.FSYNC, 0, 0);
    trace.by(2).store("b", 8, 8).by(1).syncEnds(sync, 0);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=b");
  }

  @Test
  void shouldNotRelyOnTheSynchronisationOfADirectoryForContents() {
    program().store("a", 0, 8).sync(SyncKind.DIRECTORY, 0, 0);
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=a");
  }

  @Test
  void shouldTakeSynchronousWritesAsPersistedAtOnce() {
    program().store("w", StoreFlags.SYNCHRONOUS_WRITE, 0, 100).store("a", 120, 8);
    assertThat(reports()).containsExactly("WARNING not-persisted x1 STORE=a");
  }

  @Test
  void shouldForgetWhatIsTruncatedPunchedAndDeleted() {
    program().file(2, SIZE).file(3, SIZE);
    trace.store("a", 100, 8).store("b", 200, 8).store("left", 96, 4).resize(100);
    trace.in(2).store("c", 60, 8).store("left", 300, 8).punch(0, 100);
    trace.in(3).store("d", 0, 8).delete(true).store("e", 64, 8).delete(false).store("f", 0, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x2 STORE=left");
    assertThat(tracker.size()).isEqualTo(2);
  }

  @Test
  void shouldReportNothingOfFilesThatHaveNoName() {
    program().file(2, SIZE, FileState.CREATED_UNNAMED).file(3, SIZE, FileState.UNNAMED);
    trace.in(2).store("a", 0, 8).in(3).store("b", 0, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).isEmpty();
    trace.tell(new TraceEvent.FileLinked(trace.nextOrdinal(), 1, 2, "named", false));
    assertThat(reports()).containsExactly("WARNING transient-data x1 STORE=a");
    trace.tell(new TraceEvent.FileRenamed(trace.nextOrdinal(), 1, 2, "/tmp/away", true));
    assertThat(reports()).isEmpty();
  }

  // Dirty overwrite

  @Test
  void shouldCountEachStoreOverUnpersistedBytesOnce() {
    program().store("a", 0, 64).store("a", 64, 64).store("b", 32, 64).store("b", 32, 64);
    trace.sync(SyncKind.FSYNC, 0, 0).store("b", 0, 8);
    trace.sync(SyncKind.FSYNC, 0, 0);
    assertThat(reports())
        .containsExactly(
            "WARNING dirty-overwrite x1 STORE=b OVERWRITTEN_STORE=a",
            "WARNING dirty-overwrite x1 STORE=b OVERWRITTEN_STORE=b");
  }

  @Test
  void shouldReportOverwritesOfFlushedAndNonTemporalStores() {
    program().store("a", 0, 8).clwb("f", 0).store("b", 0, 8);
    trace.nonTemporal("n", 640, 8).store("b", 640, 8).sync(SyncKind.FSYNC, 0, 0);
    assertThat(reports())
        .containsExactlyInAnyOrder(
            "WARNING dirty-overwrite x1 STORE=b OVERWRITTEN_STORE=a",
            "WARNING dirty-overwrite x1 STORE=b OVERWRITTEN_STORE=n");
  }

  @Test
  void shouldTakeASplitStoreAsOne() {
    int write = StoreFlags.FILE_WRITE;
    program().store("w", write | StoreFlags.MORE, 60, 1).resize(2 * SIZE);
    trace.store("w", write | StoreFlags.MORE, 60, 64).store("w", write, 124, 8);
    assertThat(reports()).containsExactly("WARNING transient-data x3 STORE=w");
    assertThat(patterns.result().totals().stores()).isEqualTo(1);
  }

  // Flushes

  @Test
  void shouldReportASecondFlushWithTheFirst() {
    program().store("a", 0, 8).clwb("f", 0).clwb("g", 8).sfence("s").clwb("g", 0).sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x2 FLUSH=g EARLIER_FLUSH=f");
    assertThat(seen()).startsWith("flushed 2 times although the line was not stored to since the");
    assertThat(patterns.result().totals()).isEqualTo(new PatternTotals(1, 3, 2, 2, 0));
  }

  @Test
  void shouldReportAFlushOfALineThatWasNeverWritten() {
    program().clwb("f", 0).clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x2 FLUSH=f");
    assertThat(seen()).contains("or never in this run");
  }

  @Test
  void shouldReportFlushesOfVolatileMemoryAndFencesForThemAlone() {
    program().flush(FlushKind.CLWB, "f", TestTrace.VOLATILE).sfence("s");
    assertThat(reports())
        .containsExactly(
            "PERFORMANCE redundant-flush x1 FLUSH=f", "PERFORMANCE redundant-fence x1 FENCE=s");
    PatternReport report = patterns.result().reports().get(0);
    assertThat(report.seen()).contains("volatile");
    assertThat(report.file()).isEmpty();
    assertThat(report.offset()).isEqualTo(TestTrace.VOLATILE);
  }

  @Test
  void shouldNotReportFencesOfAProgramThatWritesBySystemCalls() {
    program()
        .sfence("s")
        .store("write", StoreFlags.FILE_WRITE, 0, 40)
        .store("read", StoreFlags.KERNEL, 64, 40)
        .sfence("s")
        .fence(FenceKind.MFENCE, "m");
    assertThat(reports()).noneMatch(report -> report.contains("fence"));
    assertThat(patterns.result().totals()).isEqualTo(new PatternTotals(2, 0, 3, 0, 0));
  }

  @Test
  void shouldNotReportFencesOfAProgramThatSynchronises() {
    program().sfence("s").store("a", 0, 8).sync(SyncKind.MSYNC, 0, 64).sfence("s").sfence("s");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldReportFencesOfAProgramThatFlushesAndSynchronises() {
    program().sfence("s").store("a", 0, 8).sync(SyncKind.MSYNC, 0, 64).store("b", 8, 8);
    trace.clwb("f", 0).sfence("t");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-fence x1 FENCE=s");
  }

  @Test
  void shouldReportFencesOfAProgramThatForgetsToFlush() {
    program().sfence("s").store("a", 0, 8).sfence("s");
    assertThat(reports())
        .containsExactly(
            "WARNING transient-data x1 STORE=a", "PERFORMANCE redundant-fence x2 FENCE=s");
  }

  @Test
  void shouldReportAFlushOfNonTemporalStoresOnly() {
    program().nonTemporal("a", 0, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x1 FLUSH=f");
    assertThat(seen()).contains("non-temporal");
  }

  @Test
  void shouldNeedTheFlushOfALineWithAPlainStoreBesideANonTemporalOne() {
    program().nonTemporal("a", 0, 8).store("b", 8, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("WARNING unordered-fence x1 FENCE=s STORE=a FLUSH=f");
  }

  @Test
  void shouldTellReasonsOfTheSameFlushApart() {
    program().clwb("f", 0).flush(FlushKind.CLWB, "f", TestTrace.VOLATILE);
    assertThat(reports())
        .containsExactly(
            "PERFORMANCE redundant-flush x1 FLUSH=f", "PERFORMANCE redundant-flush x1 FLUSH=f");
  }

  @Test
  void shouldWarnOfAFlushOfSeveralStoresWithTheFirstAndTheLast() {
    program().store("a", 0, 8).store("b", 8, 8).store("c", 16, 8).store("a", 24, 8);
    trace.clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("WARNING multi-store-flush x1 FLUSH=f STORE=a STORE=c");
  }

  @Test
  void shouldNotWarnOfAFlushOfSeveralStoresOfOnePlace() {
    program().store("a", 0, 8).store("a", 8, 8).store("a", 16, 8).clwb("f", 0).sfence("s");
    assertThat(reports()).isEmpty();
  }

  // Fences

  @Test
  void shouldReportFencesWithNothingToOrder() {
    program().store("a", 0, 8).clwb("f", 0).sfence("s").sfence("t").fence(FenceKind.MFENCE, "m");
    trace.fence(FenceKind.LOCKED, "l");
    assertThat(reports())
        .containsExactly(
            "WARNING redundant-fence x1 FENCE=m", "PERFORMANCE redundant-fence x1 FENCE=t");
    assertThat(patterns.result().totals()).isEqualTo(new PatternTotals(1, 1, 3, 0, 2));
  }

  @Test
  void shouldReportAFenceBehindALockedInstructionThatFencedAlready() {
    program().store("a", 0, 8).clwb("f", 0).fence(FenceKind.LOCKED, "l").sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-fence x1 FENCE=s");
  }

  @Test
  void shouldAcceptAFenceBehindARedundantFlush() {
    program().clwb("f", 0).sfence("s");
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x1 FLUSH=f");
  }

  @Test
  void shouldWarnOfAFenceForSeveralLinesWithTheFirstAndTheLast() {
    program().store("a", 128, 8).store("b", 0, 8).nonTemporal("n", 640, 8);
    trace.clwb("f", 128).clwb("g", 0).clwb("g", 4).sfence("s");
    assertThat(reports()).contains("WARNING unordered-fence x1 FENCE=s STORE=n FLUSH=g").hasSize(2);
  }

  @Test
  void shouldNotCountClflushAmongWhatAFenceLeavesUnordered() {
    program().store("a", 0, 8).store("a", 64, 8);
    trace.flush(FlushKind.CLFLUSH, "f", Location.of(1, 0)).clwb("f", 64).sfence("s");
    assertThat(reports()).isEmpty();
  }

  @Test
  void shouldWarnOfALockedInstructionThatCompletesSeveralLines() {
    program().store("a", 0, 8).store("a", 64, 8).clwb("f", 0).clwb("f", 64);
    trace.fence(FenceKind.LOCKED, "l");
    assertThat(reports()).containsExactly("WARNING unordered-fence x1 FENCE=l FLUSH=f FLUSH=f");
  }

  // The window, exclusion

  @Test
  void shouldReportOnlyBetweenTheMarksButKnowWhatHappenedBefore() {
    tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
    patterns = TracePatterns.observing(tracker, trace.tables, ExcludedFunctions.NONE, false);
    program().store("a", 0, 8).clwb("f", 0).clwb("f", 0).sfence("s").sfence("s");
    trace.store("early", 640, 8).store("e", 1024, 8);
    trace.mark(MarkKind.BEGIN).clwb("g", 0).sfence("s").store("in", 640, 4);
    trace.mark(MarkKind.END).sfence("s").sfence("s").store("late", 2048, 8).clwb("f", 2048);
    assertThat(reports())
        .containsExactly(
            "WARNING transient-data x1 STORE=in",
            "WARNING dirty-overwrite x1 STORE=in OVERWRITTEN_STORE=early",
            "PERFORMANCE redundant-flush x1 FLUSH=g EARLIER_FLUSH=f");
    assertThat(patterns.result().totals()).isEqualTo(new PatternTotals(1, 1, 1, 1, 0));
  }

  @Test
  void shouldReportNothingBelowExcludedFunctions() {
    tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
    patterns =
        TracePatterns.observing(tracker, trace.tables, ExcludedFunctions.of(List.of("cre*")), true);
    program().store("excluded", 0, 8).clwb("excludedFlush", 64).sfence("create").sfence("create");
    trace.store("create", 0, 8).store("a", 0, 8).sync(SyncKind.FSYNC, 0, 0);
    trace.store("create", 0, 8);
    assertThat(reports())
        .containsExactly("WARNING dirty-overwrite x1 STORE=a OVERWRITTEN_STORE=create");
  }

  // eADR

  @Test
  void shouldWantNoFlushesWithEadr() {
    programWithEadr().store("a", 0, 8).store("a", 0, 8).store("b", 8, 8).sfence("s");
    assertThat(reports()).isEmpty();
    trace.clwb("f", 0);
    assertThat(reports()).containsExactly("PERFORMANCE redundant-flush x1 FLUSH=f");
    assertThat(seen()).contains("eADR");
  }

  @Test
  void shouldReportFencesWithoutAStoreWithEadr() {
    programWithEadr().store("a", 0, 8).sfence("s").clwb("f", 0).sfence("t");
    assertThat(reports())
        .containsExactly(
            "PERFORMANCE redundant-flush x1 FLUSH=f", "PERFORMANCE redundant-fence x1 FENCE=t");
  }

  @Test
  void shouldCountOnlyNonTemporalStoresAsUnorderedWithEadr() {
    programWithEadr().store("a", 0, 8).store("a", 64, 8).clwb("f", 0).clwb("f", 64).sfence("s");
    trace.nonTemporal("n", 128, 8).nonTemporal("m", 192, 8).store("a", 0, 8).sfence("t");
    assertThat(reports())
        .containsExactly(
            "WARNING unordered-fence x1 FENCE=t STORE=n STORE=m",
            "PERFORMANCE redundant-flush x2 FLUSH=f");
  }

  // Memory

  @Test
  void shouldKeepNothingOfWhatIsPersisted() {
    program();
    for (int round = 0; round < 100_000; round++) {
      long offset = 64L * (round % 1000);
      trace.store("a", offset, 8).store("b", offset + 8, 60).clwb("f", offset);
      trace.clwb("f", offset + 64).sfence("s");
      assertThat(tracker.size()).isZero();
    }
  }

  @Test
  void shouldRememberALineThatWaitsForAFenceOnceHoweverOftenItIsFlushed() {
    program();
    for (int round = 0; round < 100_000; round++) {
      trace.store("a", 0, 8).store("b", 64, 8).clwb("f", 0).clwb("g", 64);
    }
    trace.sfence("s");
    assertThat(reports()).contains("WARNING unordered-fence x1 FENCE=s FLUSH=f FLUSH=g");
    assertThat(tracker.size()).isZero();
  }
}
