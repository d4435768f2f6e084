// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.changes.OnlyLines;
import io.powercut.persistency.changes.WithPersists;
import io.powercut.persistency.changes.WithSwap;
import io.powercut.persistency.changes.WithSyncs;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Traces with a flush, a fence or another order that the program does not have. */
class WithChangesTest {
  private static final int DATA = 10;
  private static final int FLAG = 20;
  private static final StoreCode DATA_CODE = StoreCode.of(DATA, 0);
  private static final StoreCode FLAG_CODE = StoreCode.of(FLAG, 0);

  private final CacheLineTracker model =
      new CacheLineTracker(PersistencyDomain.ADR, (file, offset, into) -> {});
  private long ordinal = 1;

  private TraceConsumer trace(UnaryOperator<TraceConsumer> change) throws IOException {
    TraceConsumer trace = change.apply(model);
    trace.event(
        new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 1 << 16, "pool"));
    return trace;
  }

  private long store(TraceConsumer trace, int code, long offset, int flags) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).putLong(0, ordinal);
    trace.store(
        new StoreRecord(ordinal, 1, flags, code, code, Location.of(1, offset), 8, bytes, 0));
    return ordinal++;
  }

  private void flush(TraceConsumer trace, long offset) throws IOException {
    trace.flush(ordinal++, 1, FlushKind.CLWB, 1, 1, Location.of(1, offset));
  }

  private void fence(TraceConsumer trace) throws IOException {
    trace.fence(ordinal++, 1, FenceKind.SFENCE, 1, 1);
  }

  private boolean mayLose(long store) {
    return CrashStates.of(model).mayLose(store, OptionalLong.empty());
  }

  @Test
  void addedFlushShouldNeedALaterFence() throws IOException {
    TraceConsumer trace =
        trace(next -> new WithPersists(Set.of(DATA_CODE), WithPersists.Added.FLUSH, next));
    long data = store(trace, DATA, 0, 0);
    assertThat(mayLose(data)).isTrue();
    long flag = store(trace, FLAG, 64, 0);
    fence(trace);

    assertThat(mayLose(data)).isFalse();
    assertThat(mayLose(flag)).isTrue();
  }

  @Test
  void addedFlushAndFenceShouldPersistAtOnce() throws IOException {
    TraceConsumer trace =
        trace(
            next -> new WithPersists(Set.of(DATA_CODE), WithPersists.Added.FLUSH_AND_FENCE, next));
    long other = store(trace, FLAG, 64, 0);
    long data = store(trace, DATA, 60, 0); // to two lines

    assertThat(mayLose(data)).isFalse();
    assertThat(mayLose(other)).isFalse(); // an earlier store to one of them

    long later = store(trace, FLAG, 64, 0);
    assertThat(mayLose(later)).isTrue();
  }

  /** What stands for a flush and a fence there is a synchronisation. */
  @Test
  void addedFlushAndFenceShouldPersistWhatACallZeroed() throws IOException {
    TraceConsumer trace =
        trace(
            next -> new WithPersists(Set.of(DATA_CODE), WithPersists.Added.FLUSH_AND_FENCE, next));
    assertThat(mayLose(store(trace, DATA, 0, StoreFlags.ZEROED))).isFalse();
    assertThat(mayLose(store(trace, FLAG, 64, StoreFlags.ZEROED))).isTrue();
  }

  private WithSyncs syncs(WithSyncs.Before before) {
    return new WithSyncs(Set.of(DATA_CODE), 1, before, model);
  }

  private void rename(TraceConsumer trace, int file) throws IOException {
    trace.event(new TraceEvent.FileRenamed(ordinal++, 1, file, "conf", false));
  }

  @Test
  void addedSyncShouldPersistWhatWasStoredBeforeTheRename() throws IOException {
    WithSyncs syncs = syncs(WithSyncs.Before.OWN_NAME);
    TraceConsumer trace = trace(next -> syncs);
    long data = store(trace, DATA, 0, 0);
    rename(trace, 2);
    assertThat(mayLose(data)).isTrue(); // The rename of another file.
    assertThat(syncs.announcement()).isEmpty();

    rename(trace, 1);

    assertThat(mayLose(data)).isFalse();
    assertThat(syncs.announcement()).contains("the rename to conf");
  }

  @Test
  void addedSyncShouldPersistWhatWasStoredBeforeAnyChange() throws IOException {
    WithSyncs syncs = syncs(WithSyncs.Before.ANY_CHANGE);
    TraceConsumer trace = trace(next -> syncs);
    long data = store(trace, DATA, 0, 0);
    trace.event(new TraceEvent.FileDeleted(ordinal++, 1, 2, "journal", false));

    assertThat(mayLose(data)).isFalse();
    assertThat(syncs.announcement()).contains("journal is removed");

    TraceEvent.Sync call = new TraceEvent.Sync(ordinal++, 1, SyncKind.FSYNC, 0, 0, 2L << 40, 0);
    trace.event(new TraceEvent.SyncEnded(ordinal++, 1, call, 0));
    assertThat(syncs.announcement()).isEmpty(); // That may have announced it as well.
  }

  /** A table is not synchronised, and the manifest that names it is. */
  @Test
  void addedSyncShouldPersistWhatWasStoredBeforeOtherFilesAreSynchronised() throws IOException {
    WithSyncs syncs = syncs(WithSyncs.Before.OTHER_FILES);
    TraceConsumer trace = trace(next -> syncs);
    long data = store(trace, DATA, 0, 0);
    trace.event(new TraceEvent.FileResized(ordinal++, 1, 1, 1 << 17));
    assertThat(mayLose(data)).isTrue();

    TraceEvent.Sync call = new TraceEvent.Sync(ordinal++, 1, SyncKind.FSYNC, 0, 0, 2L << 40, 0);
    trace.event(call);
    assertThat(mayLose(data)).isFalse();
    trace.event(new TraceEvent.SyncEnded(ordinal++, 1, call, 0));

    assertThat(syncs.announcement()).contains("other files are changed or synchronised");
  }

  private void say(TraceConsumer trace, boolean acknowledges) throws IOException {
    trace.event(
        new TraceEvent.Output(
            ordinal++,
            1,
            TraceEvent.OutputKind.STANDARD_OUTPUT,
            0,
            0,
            1,
            "",
            1,
            acknowledges,
            false,
            ByteBuffer.allocate(1)));
  }

  @Test
  void addedSyncShouldPersistWhatWasStoredBeforeItIsAcknowledged() throws IOException {
    WithSyncs syncs = syncs(WithSyncs.Before.ANNOUNCEMENT);
    TraceConsumer trace = trace(next -> syncs);
    long data = store(trace, DATA, 0, 0);
    say(trace, false); // Nobody is told.
    trace.event(new TraceEvent.FileResized(ordinal++, 1, 1, 1 << 17));
    assertThat(mayLose(data)).isTrue();

    say(trace, true);

    assertThat(mayLose(data)).isFalse();
    assertThat(syncs.announcement()).contains("it is acknowledged");
  }

  @Test
  void addedFenceShouldFollowTheFlush() throws IOException {
    TraceConsumer trace =
        trace(next -> new WithPersists(Set.of(DATA_CODE), WithPersists.Added.FENCE, next));
    long data = store(trace, DATA, 0, 0);
    assertThat(mayLose(data)).isTrue();
    flush(trace, 64);
    assertThat(mayLose(data)).isTrue();
    flush(trace, 0);

    assertThat(mayLose(data)).isFalse();
  }

  @Test
  void addedFenceShouldFollowAStorePastTheCache() throws IOException {
    TraceConsumer trace =
        trace(next -> new WithPersists(Set.of(DATA_CODE), WithPersists.Added.FENCE, next));
    long data = store(trace, DATA, 0, StoreFlags.NON_TEMPORAL);

    assertThat(mayLose(data)).isFalse();
  }

  @Test
  void swappedStoresToOneLineShouldPersistInTheOtherOrder() throws IOException {
    TraceConsumer trace = trace(next -> new WithSwap(FLAG_CODE, DATA_CODE, false, next));
    long flag = store(trace, FLAG, 0, 0);
    long data = store(trace, DATA, 8, 0);

    assertThat(CrashStates.of(model).mayLose(data, OptionalLong.of(flag))).isFalse();
    assertThat(CrashStates.of(model).mayLose(flag, OptionalLong.of(data))).isTrue();
  }

  @Test
  void asTheyAreTheyShouldNot() throws IOException {
    TraceConsumer trace = trace(next -> next);
    long flag = store(trace, FLAG, 0, 0);
    long data = store(trace, DATA, 8, 0);

    assertThat(CrashStates.of(model).mayLose(data, OptionalLong.of(flag))).isTrue();
    assertThat(CrashStates.of(model).mayLose(flag, OptionalLong.of(data))).isFalse();
  }

  @Test
  void aStoreShouldNotWaitBeyondItsFlush() throws IOException {
    WithSwap swap = new WithSwap(FLAG_CODE, DATA_CODE, true, model);
    TraceConsumer trace = trace(next -> swap);
    long flag = store(trace, FLAG, 0, 0);
    assertThat(swap.isWaiting(flag)).isTrue();
    flush(trace, 64);
    trace.event(new TraceEvent.FileLinked(ordinal++, 1, 1, "other", false)); // as a definition
    assertThat(swap.isWaiting(flag)).isTrue();
    flush(trace, 0);
    assertThat(swap.isWaiting(flag)).isFalse();
    fence(trace);

    assertThat(mayLose(flag)).isFalse();
  }

  @Test
  void aStoreInAnotherLineShouldComeWhenTheOtherIsPersisted() throws IOException {
    TraceConsumer trace = trace(next -> new WithSwap(FLAG_CODE, DATA_CODE, true, next));
    long flag = store(trace, FLAG, 0, 0);
    assertThat(mayLose(flag)).isFalse(); // it was not made yet
    long data = store(trace, DATA, 64, 0);

    assertThat(mayLose(data)).isFalse();
    assertThat(mayLose(flag)).isTrue();
  }

  /** Such as a queue that punches a hole before it stores that the message was taken. */
  @Test
  void zerosOfAHoleShouldComeWhenTheOtherIsPersisted() throws IOException {
    WithSwap swap = new WithSwap(FLAG_CODE, DATA_CODE, true, model);
    TraceConsumer trace = trace(next -> swap);
    long hole = store(trace, FLAG, 4096, StoreFlags.ZEROED);
    trace.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 4096, 4096, true));
    assertThat(swap.isWaiting(hole)).isTrue();

    long head = store(trace, DATA, 0, 0);

    assertThat(mayLose(head)).isFalse();
    assertThat(mayLose(hole)).isTrue();
  }

  @Test
  void aStoreShouldNotWaitBeyondAHoleThatPersistsAtOnce() throws IOException {
    WithSwap swap = new WithSwap(FLAG_CODE, DATA_CODE, true, model);
    TraceConsumer trace = trace(next -> swap);
    long flag = store(trace, FLAG, 64, 0);
    trace.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 4096, 4096));
    assertThat(swap.isWaiting(flag)).isFalse();
  }

  /** Such as a counter that is to come behind the record that is appended. */
  @Test
  void aStoreShouldWaitForAWriteThatMakesItsFileLongerButForNoOtherSize() throws IOException {
    WithSwap swap = new WithSwap(FLAG_CODE, DATA_CODE, true, model);
    TraceConsumer trace = trace(next -> swap);
    long flag = store(trace, FLAG, 64, 0);
    trace.event(new TraceEvent.FileResized(ordinal++, 1, 1, 1 << 17));
    assertThat(swap.isWaiting(flag)).isTrue();
    long data = store(trace, DATA, 1 << 16, 0);
    assertThat(mayLose(data)).isFalse();
    assertThat(mayLose(flag)).isTrue();

    long next = store(trace, FLAG, 64, 0);
    trace.event(new TraceEvent.FileResized(ordinal++, 1, 1, 1 << 16));
    assertThat(swap.isWaiting(next)).isFalse();
  }

  @Test
  void onlyWhatIsAskedForShouldBeFollowed() throws IOException {
    TraceConsumer trace = trace(next -> new OnlyLines(List.of(Location.of(1, 64)), next));
    store(trace, DATA, 0, 0);
    long wanted = store(trace, DATA, 60, 0); // to two lines

    assertThat(CrashStates.of(model).lines()).hasSize(2);
    assertThat(mayLose(wanted)).isTrue();
    flush(trace, 64);
    fence(trace);
    assertThat(CrashStates.of(model).lines())
        .extracting(InFlightLine::location)
        .containsExactly(Location.of(1, 0));
  }

  @Test
  void recordsOfOneStoreShouldAllBeHandedOn() throws IOException {
    TraceConsumer trace = trace(next -> new OnlyLines(List.of(Location.of(1, 64)), next));
    long first = store(trace, DATA, 56, StoreFlags.MORE);
    store(trace, DATA, 64, 0);
    store(trace, DATA, 128, 0);

    assertThat(CrashStates.of(model).lines())
        .allSatisfy(line -> assertThat(line.stores().get(0).ordinal()).isEqualTo(first))
        .hasSize(2);
  }

  /** The string instruction began in a line that nobody asked for. */
  @Test
  void elementsShouldNotBeTakenForThoseOfAnEarlierInstruction() throws IOException {
    TraceConsumer trace = trace(next -> new OnlyLines(List.of(Location.of(1, 64)), next));
    store(trace, DATA, 80, 0);
    store(trace, DATA, 0, 0);
    store(trace, DATA, 64, StoreFlags.ELEMENT);
    store(trace, DATA, 128, StoreFlags.ELEMENT);
    store(trace, DATA, 72, StoreFlags.ELEMENT);

    assertThat(CrashStates.of(model).lines())
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.stores())
                    .extracting(store -> store.group())
                    .containsExactly(1, 2, 2));
  }

  @Test
  void linesUpToTheEndOfAStoreShouldBeAskedFor() throws IOException {
    TraceConsumer trace = trace(next -> new OnlyLines(List.of(Location.of(1, 64)), next));
    store(trace, DATA, 56, 0);
    store(trace, DATA, 128, 0);
    assertThat(CrashStates.of(model).isEmpty()).isTrue();
    store(trace, DATA, 57, 0);
    assertThat(CrashStates.of(model).lines()).hasSize(2);
  }
}
