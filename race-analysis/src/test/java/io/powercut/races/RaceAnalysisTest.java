// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceExample;
import io.powercut.races.found.WindowEnd;
import io.powercut.trace.FlushKind;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One small program for each rule. Thread 1 starts the others. */
class RaceAnalysisTest {
  private static final long A = 0x7000;
  private static final long B = 0x7100;
  private static final long X = 0x40;

  private ThreadedTrace trace = new ThreadedTrace();
  private RaceAnalysis races = analysis(trace, RaceOptions.USUAL);

  private static RaceAnalysis analysis(ThreadedTrace trace, RaceOptions options) {
    return new RaceAnalysis(
        PersistencyDomain.ADR,
        trace.tables,
        ExcludedFunctions.of(List.of("excluded*")),
        true,
        options);
  }

  /** A program whose threads 2 and 3 run, and have both used X. */
  private ThreadedTrace program() {
    return unused().by(2).load("use", X, 8).by(3).load("use", X, 8);
  }

  /** A program whose threads 2 and 3 run. */
  private ThreadedTrace unused() {
    return trace.telling(4096, races).by(1).starts(2, 3, 4);
  }

  private List<String> found() {
    assertThat(races.result().isComplete()).isTrue();
    return races.result().races().stream()
        .filter(race -> !race.load().innermost().function().equals("use"))
        .map(RaceAnalysisTest::describe)
        .toList();
  }

  static String describe(Race race) {
    String end = race.ended().map(RaceAnalysisTest::function).orElse("");
    return race.evidence().name().toLowerCase(Locale.ROOT)
        + ": "
        + function(race.store())
        + ", "
        + race.end()
        + (end.isEmpty() ? "" : " " + end)
        + ", "
        + function(race.load())
        + (race.observations() == 0 ? "" : " x" + race.observations());
  }

  private static String function(CallStack stack) {
    return UserCode.placeOf(stack).function();
  }

  @Test
  void shouldTellRacesApartByThePlaceInTheUsersCode() {
    program().by(2).store("memcpy < first", X, 8).store("memcpy < second", X + 8, 8);
    trace.by(3).load("load < one", X, 16).load("load < other", X, 16);

    assertThat(found())
        .containsExactly("observed: first, NEVER, load x2", "observed: second, NEVER, load x2");
  }

  @Test
  void shouldTellRegionsThatOverlappedInTime() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).persist(X);
    trace.by(3).lock(B).load("load", X, 8).unlock(B);

    assertThat(overlapped()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldTellRegionsThatDidNotOverlapInTime() {
    program().by(2).lock(A).store("store", X, 8).persist(X).unlock(A).lock(A).unlock(A);
    trace.by(3).lock(B).load("load", X, 8).unlock(B);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
    assertThat(overlapped()).isEmpty();
  }

  private List<String> overlapped() {
    return races.result().races().stream()
        .filter(race -> !function(race.load()).equals("use") && race.overlapped())
        .map(RaceAnalysisTest::describe)
        .toList();
  }

  @Test
  void shouldProtectByAVersionLockThatBecameExclusive() {
    LockKind kind = LockKind.OWN_LOCK;
    program().by(2).acquire(kind, true, A).acquire(kind, false, A).store("store", X, 8);
    trace.persist(X).release(kind, A).by(3).acquire(kind, true, A).load("load", X, 8);
    trace.release(kind, A).by(2).store("bare", X, 8).persist(X);

    assertThat(found()).containsExactly("region: bare, PERSISTED persist, load");
  }

  @Test
  void shouldTakeCriticalSectionsOfOpenMpForLocks() {
    LockKind kind = LockKind.OPENMP_LOCK;
    program().by(2).acquire(kind, false, 1).store("store", X, 8).persist(X).release(kind, 1);
    trace.by(3).acquire(kind, false, 1).load("load", X, 8).release(kind, 1);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldNotReportAWordThatIsALock() {
    swapped(0);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportAPointerThatIsSwappedAndNeverGivenBack() {
    swapped(1);

    assertThat(found()).contains("observed: swap, NEVER, load x1");
  }

  /** A thread swaps X, another one looks at it, and the first stores there again. */
  private void swapped(int last) {
    long word = ThreadedTrace.at(X);
    program().by(2).acquire(LockKind.ATOMIC_WORD, false, word).storing(1, "swap", X);
    trace.by(3).load("load", X, 8).by(2).storing(last, last == 0 ? "clear" : "swap", X);
    trace.release(LockKind.ATOMIC_WORD, word).by(3).load("load", X, 8);
  }

  @Test
  void shouldReportALockThatIsReleasedBetweenStoreAndPersist() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).persist(X);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportAnEarlyUnlockOnlyAsPossibleIfLocksOrderedIt() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).persist(X).lock(B).unlock(B);
    trace.by(3).lock(B).unlock(B).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldAcceptALockThatIsHeldUntilThePersist() {
    program().by(2).lock(A).store("store", X, 8).persist(X).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).isEmpty();
  }

  /** A robust mutex: its owner died, so that another thread could acquire it. */
  @Test
  void shouldAcceptALockThatIsTakenOverFromADeadOwner() {
    program().by(2).lock(A).store("store", X, 8).by(3).lock(A).persist(X).unlock(A);
    trace.by(4).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldAcceptALockThatSeveralDeadOwnersHeld() {
    program().by(2).lock(A).store("store", X, 8).by(3).lock(A).by(4).lock(A).persist(X).unlock(A);
    trace.by(1).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportALockThatWasTakenOverAndReleasedBeforeThePersist() {
    program().by(2).lock(A).store("store", X, 8).by(3).lock(A).unlock(A).lock(A).persist(X);
    trace.unlock(A).by(4).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportALockThatAnotherThreadReleasedAndNobodyTookOver() {
    program().by(2).lock(A).store("store", X, 8).by(4).unlock(A).by(3).lock(A).persist(X);
    trace.unlock(A).by(4).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportALockOfAnOwnerThatLivesOn() {
    program().by(2).lock(A).store("store", X, 8).by(3).lock(A).by(2).load("use", X + 8, 8);
    trace.by(3).persist(X).unlock(A).by(4).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  /** Nobody came to take it over. */
  @Test
  void shouldAcceptALockThatIsHeldToTheEndOfTheRun() {
    program().by(3).lock(A).load("load", X, 8).unlock(A).by(2).lock(A).store("store", X, 8);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportALockThatIsReleasedAndHeldAgainAtTheEndOfTheRun() {
    program().by(3).lock(A).load("load", X, 8).unlock(A).by(2).lock(A).store("store", X, 8);
    trace.unlock(A).lock(A);

    assertThat(found()).containsExactly("lockset: store, NEVER, load");
  }

  @Test
  void shouldReportWhatADeadOwnerLeavesUnpersisted() {
    program().by(2).lock(A).store("store", X, 8).by(3).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
  }

  @Test
  void shouldReportTwoDifferentLocks() {
    program().by(2).lock(A).store("store", X, 8).persist(X).unlock(A);
    trace.by(3).lock(B).load("load", X, 8).unlock(B);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldTellWhichLocksWereHeldWhere() {
    program().by(2).lock(B).lock(A).store("store", X + 4, 8).unlock(A).persist(X).unlock(B);
    trace.by(3).acquire(LockKind.READER_WRITER_LOCK, true, A).load("load", X, 8);

    RaceExample example = races.result().races().get(1).example();
    assertThat(example.file()).isEqualTo("pool");
    assertThat(List.of(example.offset(), example.size())).isEqualTo(List.of(X + 4, 4));
    assertThat(example.storing().held())
        .extracting(RaceExample.LockHeld::object)
        .containsExactly(B, A);
    assertThat(example.ending().orElseThrow().held())
        .extracting(RaceExample.LockHeld::object)
        .containsExactly(B);
    RaceExample.LockHeld held = example.loading().held().get(0);
    assertThat(held.kind()).isEqualTo(LockKind.READER_WRITER_LOCK);
    assertThat(held.isShared()).isTrue();
    assertThat(held.acquired().map(stack -> stack.innermost().function())).hasValue("acquire");
    assertThat(List.of(example.storing().thread(), example.loading().thread()))
        .isEqualTo(List.of(2, 3));
  }

  @Test
  void shouldReportALockFreeReader() {
    program().by(2).lock(A).store("store", X, 8).persist(X).unlock(A).by(3).load("load", X, 8);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  /** The recorder writes nothing for it. */
  @Test
  void shouldNotTakeALockThatWasNotAcquiredForHeld() {
    program().by(2).lock(A).store("store", X, 8).by(3).load("load", X, 8).by(2);
    trace.persist(X).unlock(A);

    assertThat(found()).containsExactly("observed: store, PERSISTED persist, load x1");
  }

  private void readerWriter(boolean isStoreShared, boolean isLoadShared) {
    LockKind kind = LockKind.READER_WRITER_LOCK;
    program().by(2).acquire(kind, isStoreShared, A).store("store", X, 8).persist(X);
    trace.release(kind, A).by(3).acquire(kind, isLoadShared, A).load("load", X, 8);
    trace.release(kind, A);
  }

  @Test
  void shouldAcceptAWriterAndAReaderOfALock() {
    readerWriter(false, true);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldAcceptAStoreUnderAReadersLockWhereTheLoadExcludesIt() {
    readerWriter(true, false);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportAStoreUnderAReadersLockThatIsReadByAnotherReader() {
    readerWriter(true, true);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldNotReleaseARecursiveLockBeforeItsLastUnlock() {
    program().by(2).lock(A).lock(A).store("store", X, 8).unlock(A).persist(X).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReleaseARecursiveLockAtItsLastUnlock() {
    program().by(2).lock(A).lock(A).store("store", X, 8).unlock(A).unlock(A).persist(X);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).hasSize(1);
  }

  @Test
  void shouldLetAConditionVariableOrderThreads() {
    program().by(2).store("store", X, 8).persist(X).release(LockKind.CONDITION_VARIABLE, B);
    trace.by(3).acquire(LockKind.CONDITION_VARIABLE, false, B).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportWhatIsPersistedBehindTheSignal() {
    program().by(2).store("store", X, 8).release(LockKind.CONDITION_VARIABLE, B).persist(X);
    trace.by(3).acquire(LockKind.CONDITION_VARIABLE, false, B).load("load", X, 8);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldLetABarrierOrderThoseThatMeet() {
    LockKind barrier = LockKind.BARRIER;
    program().by(3).release(barrier, B).by(2).store("store", X, 8).persist(X);
    trace.release(barrier, B).acquire(barrier, false, B).by(3).acquire(barrier, false, B);
    trace.load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldNotLetTheNextRoundOfABarrierOrderThisOne() {
    LockKind barrier = LockKind.BARRIER;
    program().by(3).release(barrier, B).by(2).release(barrier, B).acquire(barrier, false, B);
    trace.store("store", X, 8).persist(X).release(barrier, B);
    trace.by(3).acquire(barrier, false, B).load("load", X, 8);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldLetASemaphoreOrderThreads() {
    program().by(2).store("store", X, 8).persist(X).release(LockKind.SEMAPHORE, B);
    trace.by(3).acquire(LockKind.SEMAPHORE, false, B).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldLetPthreadOnceOrderThreads() {
    program().by(2).store("store", X, 8).persist(X).release(LockKind.ONCE, B);
    trace.by(3).acquire(LockKind.ONCE, false, B).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLetTheStartAndTheAwaitedEndOfProcessesOrderThem(boolean isAwaited) {
    trace.telling(4096, races).by(1).forks(2).forks(3);
    trace.by(2).load("use", X, 8).by(3).load("use", X, 8);
    trace.by(2).store("child", X, 8).persist(X).exits().by(1);
    if (isAwaited) {
      trace.waitsFor(2);
    }
    trace.load("parent", X, 8).forks(4).by(4).load("sister", X, 8);

    assertThat(found().isEmpty()).isEqualTo(isAwaited);
  }

  @Test
  void shouldLetTheStartAndEndOfThreadsOrderThem() {
    trace.telling(4096, races).store("before", X, 8).persist(X).starts(2);
    trace.by(2).load("load", X, 8).store("within", X, 8).persist(X).exits();
    trace.by(1).joins(2).load("behind", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportWhatIsNotPersistedWhenAThreadStarts() {
    trace.telling(4096, races).store("store", X, 8).starts(2).persist(X).by(2);
    trace.load("load", X, 8);
    // Persisted before a second thread used it.
    assertThat(found()).isEmpty();

    trace = new ThreadedTrace();
    races = analysis(trace, RaceOptions.USUAL.withInitialisation());
    trace.telling(4096, races).store("store", X, 8).starts(2).persist(X).by(2);
    trace.load("load", X, 8);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  /** A queue under a lock: what the consumer loads was persisted before it got it. */
  @Test
  void shouldReportAHandOverUnderALockOnlyAsPossible() {
    program().by(2).store("store", X, 8).persist(X).lock(A).unlock(A);
    trace.by(3).lock(A).unlock(A).load("load", X, 8);
    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportAHandOverOfWhatIsNotPersisted() {
    program().by(2).store("store", X, 8).lock(A).unlock(A);
    trace.by(3).lock(A).unlock(A).load("load", X, 8).by(2).persist(X);
    assertThat(found()).containsExactly("observed: store, PERSISTED persist, load x1");
  }

  @Test
  void shouldLeaveInitialisationOut() {
    unused().by(2).store("clear", X, 8).store("store", X, 8).persist(X).by(3).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportInitialisationIfAsked() {
    races = analysis(trace, RaceOptions.USUAL.withInitialisation());
    unused().by(2).store("store", X, 8).persist(X).by(3).load("load", X, 8);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportInitialisationThatIsNotPersistedBeforePublication() {
    unused().by(2).store("store", X, 8).by(3).load("load", X, 8).by(2).persist(X);
    assertThat(found()).containsExactly("observed: store, PERSISTED persist, load x1");
  }

  @Test
  void shouldKnowByByteWhatIsPublished() {
    unused().by(3).load("use", X, 4).by(2).store("store", X, 8).persist(X).by(3);
    trace.load("load", X + 4, 4);
    assertThat(found()).isEmpty();
    trace = new ThreadedTrace();
    races = analysis(trace, RaceOptions.USUAL);
    unused().by(3).load("use", X, 4).by(2).store("store", X, 8).persist(X).by(3);
    trace.load("load", X + 3, 4);
    assertThat(found()).hasSize(1);
  }

  @Test
  void shouldReportPartlyOverlappingSizes() {
    program().by(2).store("store", X - 4, 8).by(3).load("load", X + 3, 8).load("next", X + 4, 8);
    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
  }

  @Test
  void shouldReportALoadThatCrossesLines() {
    program().by(2).store("store", X + 64, 8).by(3).load("load", X, 128);
    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
  }

  @Test
  void shouldFollowStoresPastTheCache() {
    program().by(2).nonTemporal("store", X, 8).by(3).load("load", X, 8).by(2).fence("persist");
    trace.by(3).load("behind", X, 8);
    assertThat(found())
        .containsExactly(
            "observed: store, PERSISTED persist, load x1",
            "region: store, PERSISTED persist, behind");
  }

  @Test
  void shouldFollowStoresOfTheKernel() {
    program().by(2).store("store", StoreFlags.KERNEL, X, 8).by(3).load("load", X, 8);
    trace.by(2).flush(FlushKind.CLFLUSH, "flush", X);
    assertThat(found()).containsExactly("observed: store, PERSISTED flush, load x1");
  }

  @Test
  void shouldFollowWhatAnotherThreadPersists() {
    program().by(2).lock(A).store("store", X, 8).by(4).persist(X).by(2).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldNotTakeASectionOfAnotherThreadForThatOfTheStore() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).by(4).lock(A).persist(X).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldLetTheReaderPersistBeforeItsLaterLoads() {
    program().by(2).store("store", X, 8).by(3).persist(X).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportWhatIsNeverPersisted() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).by(3).lock(A).load("load", X, 8);
    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
  }

  @Test
  void shouldReportWhatIsOverwrittenBeforeItIsPersisted() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8).by(2);
    trace.lock(A).store("again", X, 8).persist(X).unlock(A);
    trace.by(3).lock(A).load("locked", X, 8).unlock(A);
    assertThat(found())
        .containsExactly(
            "observed: store, OVERWRITTEN again, load x1",
            "region: again, PERSISTED persist, load",
            "lockset: store, OVERWRITTEN again, locked");
  }

  /** What became of stores that were stored over. */
  private String own() {
    assertThat(found()).isNotEmpty();
    return races.result().races().stream()
        .filter(race -> race.end() == WindowEnd.OVERWRITTEN)
        .filter(race -> !function(race.load()).equals("use"))
        .map(
            race ->
                race.own().isNever()
                    ? "never"
                    : race.own().stack().map(RaceAnalysisTest::function).orElse("unknown")
                        + race.own().step().map(step -> " by " + step.thread()).orElse(""))
        .collect(Collectors.joining(", "));
  }

  private ThreadedTrace add(int thread) {
    return trace.by(thread).lock(A).load("load", X, 8).store("store", X, 8).unlock(A);
  }

  @Test
  void shouldTellWhatPersistsTooLateThoughOthersStoreOverItBefore() {
    program();
    add(2);
    add(3).persist(X).by(2).persist(X);
    assertThat(own()).isEqualTo("persist by 2");
  }

  @Test
  void shouldTakeAFlushBeforeOthersStoreOverItAndAFenceBehindForALatePersist() {
    program();
    add(2).clwb(X);
    add(3).persist(X).by(2).fence("fence");
    assertThat(own()).isEqualTo("fence by 2");
  }

  @Test
  void shouldTellOfNoLatePersistWhereAThreadLeftItOutOnce() {
    program();
    add(2);
    add(3).persist(X).by(2).persist(X);
    add(2);
    add(3).persist(X);
    add(2).persist(X);
    assertThat(own()).isEqualTo("unknown");
  }

  @Test
  void shouldNotTakeAPersistOfWhatTheThreadStoredThereItselfForALateOne() {
    program();
    add(2);
    add(3).persist(X).by(2).store("other", X, 8).persist(X);
    assertThat(own()).isEqualTo("unknown");
  }

  @Test
  void shouldNotTakeAFlushWithoutAFenceForALatePersist() {
    program();
    add(2);
    add(3).persist(X).by(2).clwb(X);
    assertThat(own()).isEqualTo("never");
  }

  @Test
  void shouldTellThatAThreadNeverPersistsWhatOthersStoreOver() {
    program();
    add(2);
    add(3);
    add(2);
    assertThat(own()).isEqualTo("never");
  }

  @Test
  void shouldNotTellWhatBecomesOfMemoryThatIsSetToZero() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8).by(2).zero(X, 64);
    assertThat(own()).isEqualTo("unknown");
  }

  @Test
  void shouldTakeBytesThatAreSetToZeroForOverwritten() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8).by(2).zero(X, 64);
    assertThat(found()).containsExactly("observed: store, OVERWRITTEN, load x1");
  }

  @Test
  void shouldNotReportAThreadsOwnStore() {
    program().by(2).store("store", X, 8).load("load", X, 8).persist(X).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  /** HawkSet, figure 2b. */
  @Test
  void shouldReportALockThatIsAcquiredAgainBeforeThePersist() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).lock(A).persist(X).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  /** Vardalith, figure 1, lines A:3 to A:7 against B:1 to B:5. */
  @Test
  void shouldReportTheUnlikelyBranch() {
    program().by(2).lock(B).store("store", X, 8).persist(X).unlock(B);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  /** The same, lines A:9 to A:13; the region never closes. */
  @Test
  void shouldReportTheCommonBranch() {
    program().by(2).lock(A).store("store", X, 8).unlock(A).persist(X);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldReportALoadBeforeTheStore() {
    program().by(3).load("load", X, 8).by(2).store("store", X, 8).persist(X);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldSeeAConsequenceInWhatTheReaderPersists() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8).store("copy", X + 512, 8);
    trace.persist(X + 512).by(2).persist(X);
    assertThat(found()).containsExactly("consequence: store, PERSISTED persist, load x1");
  }

  @Test
  void shouldSeeAConsequenceInWhatTheReaderPrints() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8).prints().by(2).persist(X);
    assertThat(found()).containsExactly("consequence: store, PERSISTED persist, load x1");
  }

  @Test
  void shouldSeeNoConsequenceInWhatWasStoredBeforeOrIsPersistedBehindOrTogether() {
    program().by(2).store("store", X, 8).by(3).store("other", X + 512, 8).load("load", X, 8);
    trace.persist(X + 512).store("copy", X + 128, 8).clwb(X + 128).clwb(X).fence("persist");
    trace.prints();
    assertThat(found()).containsExactly("observed: store, PERSISTED persist, load x1");
  }

  /** The recorder tells of a release when the function is entered. */
  @Test
  void shouldTakeTheFenceOfAnUnlockForUnderTheLock() {
    program().by(2).lock(A).store("store", X, 8).clwb(X).unlock(A);
    trace.fence("__pthread_mutex_unlock_usercnt");
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldTakeTheFenceOfAPostForBeforeIt() {
    program().by(2).store("store", X, 8).clwb(X).release(LockKind.SEMAPHORE, B);
    trace.fence("__new_sem_post").by(3).acquire(LockKind.SEMAPHORE, false, B);
    trace.load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldTakeTheFenceOfALaterLockForBehindTheRelease() {
    program().by(2).lock(A).store("store", X, 8).clwb(X).unlock(A).fence("pthread_mutex_lock");
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("region: store, PERSISTED pthread_mutex_lock, load");
  }

  @Test
  void shouldNotReportTheWordsOfLocksNorExcludedFunctions() {
    program().by(2).store("__pthread_mutex_lock", X, 8).store("excludedStore", X + 8, 8);
    trace.by(3).load("load", X, 16).by(2).store("store", X + 16, 8);
    trace.by(3).load("excludedLoad", X + 16, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldReportOnlyWhatLiesBetweenTheMarks() {
    program().marks(TraceEvent.MarkKind.END).by(2).store("store", X, 8);
    trace.by(3).load("load", X, 8).marks(TraceEvent.MarkKind.BEGIN).load("load", X, 8);
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldTellLocksOfProcessesApart() {
    trace.telling(4096, races).starts(2);
    trace.tell(new TraceEvent.ProcessStarted(trace.next(), 9, 200, ThreadedTrace.PROCESS, 1));
    trace.by(9).load("use", X, 8).by(2).load("use", X, 8);
    trace.by(2).lock(A).store("store", X, 8).persist(X).unlock(A);
    trace.by(9).lock(A).load("load", X, 8).unlock(A);
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldNotForgetALoadWithoutALockForOneWithIt() {
    program().by(3).load("load", X, 8).lock(A).load("load", X, 8).unlock(A);
    trace.by(2).lock(A).store("store", X, 8).persist(X).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldNotForgetALoadByAReaderForOneByAWriter() {
    LockKind kind = LockKind.READER_WRITER_LOCK;
    program().by(3).acquire(kind, true, A).load("load", X, 8).release(kind, A);
    trace.acquire(kind, false, A).load("load", X, 8).release(kind, A);
    trace.by(2).acquire(kind, true, A).store("store", X, 8).persist(X).release(kind, A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldNotForgetAStoreWithoutALockForOneWithIt() {
    program().by(2).store("store", X, 8).persist(X).lock(A).store("store", X, 8).persist(X);
    trace.unlock(A).by(3).lock(A).load("load", X, 8).unlock(A);

    assertThat(found()).containsExactly("lockset: store, PERSISTED persist, load");
  }

  @Test
  void shouldLeaveOutWhatIsPmdksWhileAPoolIsOpen() {
    trace.telling(0x4000, races).by(1).starts(2, 3).by(3).load("use", 0x1ac0, 8);
    trace.load("use", 0x2000, 8).by(2).module("libpmemobj.so.1");
    trace.store("store", 0x1ac0, 8).persist(0x1ac0).store("store", 0x2000, 8).persist(0x2000);
    trace.by(3).load("load", 0x1ac0, 8).load("load", 0x2000, 8);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldLeaveOutWhatPmdkNeverPersistsAndLoadsItself() {
    trace.telling(0x4000, races).by(1).starts(2, 3).by(2).module("libpmemobj.so.1");
    trace.store("seen", 0x2000, 8).store("never", 0x2040, 8).store("over", 0x2080, 8);
    trace.by(3).load("itself", 0x2000, 8).load("itself", 0x2080, 8).store("store", 0x2080, 8);
    trace.module("program").load("user", 0x2040, 8);

    assertThat(found()).containsExactly("observed: never, NEVER, user x1");
  }

  @Test
  void shouldNotCompareWhatWasDoneToMemoryBeforeItWasAllocatedAgain() {
    program().by(2).store("old", X, 8).persist(X).allocates(X, 8);
    trace.store("new", X, 8).persist(X).by(3).load("load", X, 8);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldFindWhatIsDoneToMemoryBehindItsAllocation() {
    program().by(2).allocates(X, 8).store("store", X, 8);
    trace.by(3).load("load", X, 8).by(2).persist(X);
    trace.by(2).allocates(X, 8).by(3).load("late", X, 8);

    assertThat(found()).containsExactly("observed: store, PERSISTED persist, load x1");
  }

  @Test
  void shouldEndAtTheAllocationWhatWasNotPersisted() {
    program().by(2).store("store", X, 16);
    trace.by(3).load("load", X, 8).by(2).allocates(X, 8).by(3).load("load", X, 16);

    assertThat(found())
        .containsExactly(
            "observed: store, OVERWRITTEN allocate, load x1", "observed: store, NEVER, load x1");
  }

  @Test
  void shouldTakeMemoryForUnusedThatWasAllocatedAgain() {
    program().by(2).allocates(X, 8).store("first", X, 8).persist(X).lock(A).unlock(A);
    trace.store("second", X + 8, 8).persist(X).by(3).lock(A).load("load", X, 16);

    assertThat(found()).isEmpty();
  }

  @Test
  void shouldGiveWhatAnAllocatorStoresToTheNewOwner() {
    program().by(3).load("old", X, 8);
    trace.by(2).allocating(0).store("zero", X, 8).clwb(X).allocated(0, X, 8).allocationEnded(0);
    trace.by(3).load("load", X, 8).by(2).fence("persist");

    assertThat(found()).containsExactly("observed: zero, PERSISTED persist, load x1");
  }

  @Test
  void shouldTakeWhatAnAllocatorPersistsForInitialisation() {
    program().by(2).allocating(0).store("zero", X, 8).persist(X).by(3).load("late", X, 8);
    trace.by(2).allocated(0, X, 8).allocationEnded(0).by(3).load("load", X, 8);
    assertThat(found()).isEmpty();

    trace = new ThreadedTrace();
    races = analysis(trace, RaceOptions.USUAL.withInitialisation());
    program().by(3).load("old", X, 8).by(2).allocating(0).store("zero", X, 8).persist(X);
    trace.allocated(0, X, 8).allocationEnded(0).by(3).load("load", X, 8);
    assertThat(found()).containsExactly("region: zero, PERSISTED persist, load");
  }

  @Test
  void shouldFindWhatAnAllocatorDoesToOtherMemory() {
    program().by(3).load("load", X, 8).by(2).allocating(0).store("store", X, 8).persist(X);
    trace.allocated(0, X + 64, 64).allocationEnded(0);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldFindWhatAnAllocatorDoesThatIsLeftWithoutAReturn() {
    program().by(3).load("load", X, 8).by(2).allocating(1).store("store", X, 8).persist(X);
    trace.allocating(0).allocated(0, X, 8);

    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
  }

  @Test
  void shouldForgetLargeMemoryThatIsAllocatedAgain() {
    program().by(2).store("old", X, 8).persist(X).allocates(0, 1L << 40).by(3).load("load", X, 8);

    assertThat(found()).isEmpty();
  }

  /** Whether the race between "store" and "load" is given at an occurrence of a failure point. */
  private boolean isTakenAt(long point, long number) {
    races.reached(new FailurePointId(point), number);
    return !races.takeInFlight().isEmpty();
  }

  @Test
  void shouldGiveARaceAgainWhereItsReaderHasDoneMore() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8);
    assertThat(isTakenAt(1, 1)).isFalse();
    trace.store("insert", X + 64, 8);
    assertThat(isTakenAt(1, 2)).isTrue();
    trace.persist(X + 64);
    assertThat(isTakenAt(2, 1)).as("nothing but a persist of what was stored before").isFalse();
    trace.store("count", X + 128, 8);
    assertThat(isTakenAt(2, 2)).isTrue();
    trace.by(2).persist(X).by(3).store("count", X + 128, 8);
    assertThat(isTakenAt(3, 1)).as("the store is persisted").isFalse();

    Race race =
        races.result().races().stream()
            .filter(one -> function(one.load()).equals("load"))
            .findFirst()
            .orElseThrow();
    assertThat(race.tried())
        .containsExactly(
            new Race.Tried(new FailurePointId(1), 2), new Race.Tried(new FailurePointId(2), 2));
  }

  @Test
  void shouldGiveARaceAtSoManyFailurePointsAndAtEachOfThemOnce() {
    program().by(2).store("store", X, 8).by(3).load("load", X, 8);
    List<Long> taken = new ArrayList<>();
    for (long step = 0; step < 40; step++) {
      trace.store("count", X + 64, 8);
      if (isTakenAt(step / 2, step)) {
        taken.add(step);
      }
    }

    assertThat(taken).containsExactly(0L, 1L, 2L, 4L, 6L, 8L, 10L, 12L, 14L);
  }

  @Test
  void raceShouldBeGivenAgainWhereItsReaderIsFollowed() {
    for (boolean follows : List.of(false, true)) {
      RaceOptions usual = RaceOptions.USUAL;
      trace = new ThreadedTrace();
      races = analysis(trace, follows ? usual.followingReaders() : usual);
      program().by(2).store("store", X, 8).by(3).load("load", X, 8);
      List<Integer> given = new ArrayList<>();
      for (int time = 1; time <= 40; time++) {
        trace.by(3).store("act", X + 64, 8).store("act more", X + 128, 8);
        if (!races.takeInFlight().isEmpty()) {
          given.add(time);
        }
      }

      assertThat(given)
          .isEqualTo(follows ? List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32) : List.of(1, 2));
      trace.by(2).persist(X).by(3).store("act", X + 64, 8);
      assertThat(races.takeInFlight()).isEmpty();
    }
  }

  @Test
  void shouldSayThatNotEverythingWasKept() {
    races =
        analysis(
            trace,
            new RaceOptions(true, 100, 100, 1, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program().by(2).load("other", X, 8);
    assertThat(races.result().isComplete()).isFalse();

    trace = new ThreadedTrace();
    races =
        analysis(
            trace,
            new RaceOptions(true, 1, 100, 100, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program().by(2).store("store", X + 64, 8);
    assertThat(races.result().isComplete()).isFalse();

    trace = new ThreadedTrace();
    races =
        analysis(
            trace,
            new RaceOptions(true, 100, 2, 100, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program().by(2).store("store", X + 64, 8);
    assertThat(races.result().isComplete()).isFalse();
  }

  @Test
  void shouldNameTheLimitThatWasReachedAndThePlace() {
    races =
        analysis(
            trace,
            new RaceOptions(true, 100, 100, 2, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program().by(2).load("other", X, 8).load("third", X, 8);
    assertThat(races.result().limits())
        .containsExactly("2 stores or loads that differ in the cache line 0x40 of pool");

    trace = new ThreadedTrace();
    races =
        analysis(
            trace,
            new RaceOptions(true, 1, 100, 100, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program().by(2).store("store", X + 64, 8);
    assertThat(races.result().limits())
        .containsExactly("1 cache lines that threads used, from 0x80 of pool on");
  }

  /** As in a tree that has a lock in each node. */
  @Test
  void shouldNotKeepMoreForEachOfVeryManyLocks() {
    races =
        analysis(
            trace,
            new RaceOptions(true, 100, 30, 12, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program();
    for (int node = 0; node < 100; node++) {
      long lock = B + 64L * node;
      trace.by(2).lock(A).lock(lock).load("load", X, 8).unlock(lock).unlock(A);
      trace.by(3).lock(lock).store("store", X, 8).persist(X).unlock(lock);
      trace.by(4).lock(A).store("locked", X, 8).persist(X).unlock(A);
    }
    trace.by(3).store("bare", X, 8).persist(X);

    assertThat(found())
        .contains(
            "region: store, PERSISTED persist, load", "lockset: bare, PERSISTED persist, load")
        .noneMatch(race -> race.contains("locked, PERSISTED persist, load"));
  }

  @Test
  void shouldSayThatAThreadHeldMoreLocksThanWhatWasLeftOutIsFor() {
    program();
    for (int node = 0; node < 9; node++) {
      trace.by(2).lock(B + node).load("load", X, 8).unlock(B + node);
    }
    assertThat(found()).isEmpty();
    for (int node = 0; node < 9; node++) {
      trace.by(3).lock(B + node);
    }
    trace.load("load", X, 8);

    assertThat(races.result().limits())
        .containsExactly("9 locks that a thread held at once, at 0x40 of pool");
  }

  private OptionalLong storedIn(CacheLineTracker tracker) {
    trace = new ThreadedTrace();
    races =
        RaceAnalysis.observing(
            tracker, trace.tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);
    trace.telling(4096, races, tracker).by(1).starts(2, 3).by(3).load("use", X, 8);
    trace.by(2).load("use", X, 8).storing(7, "store", X).by(3).load("load", X, 8);
    assertThat(found()).containsExactly("observed: store, NEVER, load x1");
    return races.result().races().get(0).example().value();
  }

  @Test
  void shouldTellWhatWasStoredOnlyIfTheTrackerKnowsIt() {
    PersistencyDomain adr = PersistencyDomain.ADR;

    assertThat(storedIn(new CacheLineTracker(adr, (file, offset, into) -> {})))
        .hasValue(0x0707070707070707L);
    assertThat(storedIn(CacheLineTracker.withoutContents(adr))).isEmpty();
  }

  @Test
  void shouldTellThatAThreadLoadsWhatAnotherPersistedForItself() {
    unused().by(2).store("store", X, 8).persist(X);
    assertThat(races.handsOver()).isFalse();
    trace.by(2).load("load", X, 8);
    assertThat(races.handsOver()).isFalse();
    trace.by(3).lock(A).load("load", X, 8).unlock(A);

    assertThat(races.handsOver()).isTrue();
    assertThat(found()).isEmpty();
  }

  @Test
  void shouldNotCallItHandedOverIfItIsProtectedOrOrderedOrOfNewMemory() {
    unused().by(2).lock(A).store("store", X, 8).persist(X).unlock(A);
    trace.by(3).lock(A).load("load", X, 8).unlock(A);
    trace.by(2).store("store", X + 64, 8).persist(X + 64).exits();
    trace.by(1).joins(2).load("load", X + 64, 8);
    trace.by(3).store("store", X + 128, 8).persist(X + 128);
    trace.by(4).allocated(0, X + 128, 64).allocationEnded(0).load("load", X + 128, 8);

    assertThat(races.handsOver()).isFalse();
  }

  private boolean isSerial() {
    return races.result().isSerial();
  }

  @Test
  void shouldTellThreadsThatRanOneAfterTheOther() {
    unused().by(2).lock(A).store("store", X, 8).unlock(A).persist(X);
    trace.by(3).lock(A).load("load", X, 8).unlock(A).by(1).joins(2).joins(3).load("end", X, 8);

    assertThat(found()).isEmpty();
    assertThat(isSerial()).isTrue();
  }

  @Test
  void shouldTellThreadsThatTookTurns() {
    unused().by(2).store("store", X, 8).by(3).load("load", X, 8).by(2).load("load", X, 8);

    assertThat(isSerial()).isFalse();
  }

  @Test
  void shouldNotSayOfThreadsThatAreOrderedThatTheyDidNotTakeTurns() {
    trace.telling(4096, races).by(1).store("begin", X, 8).starts(2).by(2).store("store", X, 8);
    trace.exits().by(1).joins(2).starts(3).by(3).store("store", X, 8);

    assertThat(isSerial()).isFalse();
  }

  @Test
  void shouldNotTakeUsesOnTheTwoSidesOfABarrierForTurns() {
    unused().by(2).load("begin", X, 8).release(LockKind.BARRIER, A).by(3).load("begin", X, 8);
    trace.release(LockKind.BARRIER, A).acquire(LockKind.BARRIER, false, A);
    trace.store("store", X, 8).by(2).acquire(LockKind.BARRIER, false, A).store("store", X, 8);

    assertThat(isSerial()).isTrue();
  }

  @Test
  void shouldTellThatOneOfSeveralThreadsDidAll() {
    unused().by(2).store("store", X, 8).persist(X).load("load", X, 8).exits();
    trace.by(3).lock(A).unlock(A).exits().by(1).joins(2).joins(3).load("end", X, 8);

    assertThat(found()).isEmpty();
    assertThat(isSerial()).isTrue();
  }

  @Test
  void shouldTellThatOneThreadDidAllBeforeTheOthersBegan() {
    trace.telling(4096, races).by(1).store("begin", X, 8).starts(2).by(2).store("store", X, 8);
    trace.exits().by(1).starts(3).by(3).lock(A).unlock(A).exits().by(1).joins(2).joins(3);

    assertThat(isSerial()).isTrue();
  }

  @Test
  void shouldNotMissThreadsWhereNoneButTheFirstCouldHaveHadAPart() {
    trace.telling(4096, races).by(1).store("begin", X, 8).starts(2).by(2).store("store", X, 8);
    trace.exits().by(1).joins(2).starts(3).by(3).exits().by(1).joins(3).load("end", X, 8);

    assertThat(isSerial()).isFalse();
  }

  @Test
  void shouldNotMissThreadsWhereTwoSharedTheWork() {
    unused().by(2).store("store", X, 8).release(LockKind.SEMAPHORE, A);
    trace.by(3).acquire(LockKind.SEMAPHORE, false, A).store("store", X, 8);

    assertThat(isSerial()).isFalse();
  }

  @Test
  void shouldTellThatOneOfSeveralProcessesDidAll() {
    trace.telling(4096, races).by(1).store("begin", X, 8).forks(2).forks(3);
    trace.by(2).store("store", X, 8).by(3).lock(A).unlock(A);

    assertThat(isSerial()).isTrue();
  }

  @Test
  void shouldNotMissAProcessThatRunsAnotherProgram() {
    trace.telling(4096, races).by(1).forks(2).store("store", X, 8).by(2).runs("/bin/true");

    assertThat(isSerial()).isFalse();
  }

  @Test
  void shouldNotKeepMoreForWhatARepeatedLoopDoes() {
    races =
        analysis(
            trace, new RaceOptions(true, 100, 8, 4, OwnLocks.NONE, RaceOptions.Sample.ALL, false));
    program();
    for (int round = 0; round < 100; round++) {
      trace.by(2).lock(A).store("store", X, 8).unlock(A).persist(X);
      trace.by(3).lock(A).load("load", X, 8).unlock(A);
    }
    assertThat(found()).containsExactly("region: store, PERSISTED persist, load");
    assertThat(races.result().races().get(0).end()).isEqualTo(WindowEnd.PERSISTED);
    assertThat(races.result().races().get(0).ended()).isNotEqualTo(Optional.empty());
  }
}
