// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataInFlightTest {
  private static final int FILE = 1;

  @TempDir Path folder;

  private ProgramByHand program;
  private MetadataInFlight metadata;
  private final Acknowledgement.History history = new Acknowledgement.History();
  private final List<MetadataLosses> open = new ArrayList<>();
  private long ordinal;
  private long told;

  @BeforeEach
  void begin() throws IOException {
    program = new ProgramByHand(folder);
    metadata = new MetadataInFlight(program.state(), PersistencyDomain.ADR);
  }

  @AfterEach
  void end() throws IOException {
    open.forEach(MetadataLosses::close);
    metadata.close();
    program.close();
  }

  private void change(int place) throws IOException {
    change(TraceEvent.MetadataKind.RENAME, false, place);
  }

  private void change(TraceEvent.MetadataKind kind, boolean durable, int place) throws IOException {
    metadata.event(
        new TraceEvent.MetadataChange(
            ordinal++, 1, kind, true, durable, place, place, "new", "old"));
  }

  private void acknowledge() {
    told += 2;
    history.add(new Acknowledgement.Output(ordinal++, 0, 0), told, told / 2);
  }

  private Optional<Acknowledgement> now() {
    return Optional.of(new Acknowledgement(folder, told, told / 2, history));
  }

  private int atFailurePoint() {
    MetadataLosses losses = metadata.atFailurePoint(now());
    open.add(losses);
    return losses.isEmpty() ? 0 : losses.images().size();
  }

  private int atTheEnd() {
    MetadataLosses losses = metadata.atTheEnd(now());
    open.add(losses);
    return losses.isEmpty() ? 0 : losses.images().size();
  }

  private TraceEvent.Sync begin(SyncKind kind) throws IOException {
    TraceEvent.Sync sync = new TraceEvent.Sync(ordinal++, 1, kind, 9, 9, 0, 0);
    metadata.event(sync);
    return sync;
  }

  private void end(TraceEvent.Sync sync, int error) throws IOException {
    metadata.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, error));
  }

  private void store(int flags) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    metadata.store(
        new StoreRecord(ordinal++, 1, flags, 9, 9, Location.of(FILE, 0), Long.BYTES, bytes, 0));
  }

  private void flush(FlushKind kind, int file) {
    metadata.flush(ordinal++, 1, kind, 9, 9, Location.of(file, 0));
  }

  private void fence(int thread) {
    metadata.fence(ordinal++, thread, FenceKind.SFENCE, 9, 9);
  }

  /** A change that was acknowledged, and something behind it. */
  private interface Behind {
    void happens() throws IOException;
  }

  private int leftAfter(Behind behind) throws IOException {
    change(1);
    behind.happens();
    acknowledge();
    return atTheEnd();
  }

  @Test
  void changeShouldBeInFlightUntilSomethingIsSynchronised() throws IOException {
    for (SyncKind kind :
        List.of(
            SyncKind.FSYNC,
            SyncKind.FDATASYNC,
            SyncKind.MSYNC,
            SyncKind.SYNC,
            SyncKind.DIRECTORY)) {
      assertThat(leftAfter(() -> {})).isEqualTo(1);
      assertThat(leftAfter(() -> end(begin(kind), 0))).as(kind.toString()).isZero();
    }
  }

  @Test
  void whatPromisesNothingShouldPersistNothing() throws IOException {
    assertThat(leftAfter(() -> end(begin(SyncKind.MSYNC_ASYNC), 0))).isEqualTo(1);
    assertThat(leftAfter(() -> end(begin(SyncKind.SYNC_FILE_RANGE), 0))).isEqualTo(2);
    assertThat(leftAfter(() -> end(begin(SyncKind.FSYNC), 5))).isEqualTo(3);
    assertThat(leftAfter(() -> begin(SyncKind.FSYNC))).isEqualTo(4);
  }

  /** A call persists what was changed before it began, whenever it ends. */
  @Test
  void changeDuringASynchronisationShouldStayInFlight() throws IOException {
    change(1);
    TraceEvent.Sync sync = begin(SyncKind.FSYNC);
    change(2);
    acknowledge();
    end(sync, 0);
    assertThat(atTheEnd()).isEqualTo(1);
    EarlierImage before = metadata.without(1).orElseThrow();
    assertThat(before.change().stack()).isEqualTo(2);
    assertThat(before.number()).isEqualTo(1);
    assertThat(metadata.without(2)).isEmpty();
  }

  @Test
  void instructionsThatPersistShouldPersistChangesToo() throws IOException {
    assertThat(leftAfter(() -> fence(1))).isEqualTo(1);
    assertThat(leftAfter(() -> flush(FlushKind.CLWB, FILE))).isEqualTo(2);
    fence(2);
    assertThat(atTheEnd()).isEqualTo(2);
    fence(1);
    assertThat(atTheEnd()).isZero();
    assertThat(leftAfter(() -> flush(FlushKind.CLFLUSH, FILE))).isZero();
    store(StoreFlags.NON_TEMPORAL);
    assertThat(leftAfter(() -> fence(1))).isZero();
    flush(FlushKind.CLFLUSH, 0);
    assertThat(leftAfter(() -> flush(FlushKind.CLFLUSH, 0))).as("volatile memory").isEqualTo(1);
  }

  @Test
  void synchronousWriteShouldPersistChangesBeforeIt() throws IOException {
    assertThat(leftAfter(() -> store(StoreFlags.FILE_WRITE))).isEqualTo(1);
    assertThat(leftAfter(() -> store(StoreFlags.SYNCHRONOUS_WRITE))).isZero();
  }

  /** As fallocate through a descriptor with O_DSYNC. */
  @Test
  void changeThatIsDurableAtOnceShouldNotBeInFlight() throws IOException {
    assertThat(leftAfter(() -> change(TraceEvent.MetadataKind.RESIZE, false, 2))).isEqualTo(2);
    assertThat(leftAfter(() -> change(TraceEvent.MetadataKind.RESIZE, true, 2))).isZero();
    change(1);
    acknowledge();
    assertThat(atTheEnd()).isEqualTo(1);
    assertThat(metadata.without(1)).isPresent();
  }

  @Test
  void storesShouldPersistChangesWhereCachesAreSafe() throws IOException {
    assertThat(leftAfter(() -> store(0))).isEqualTo(1);
    metadata.close();
    metadata = new MetadataInFlight(program.state(), PersistencyDomain.EADR);
    assertThat(leftAfter(() -> store(StoreFlags.FILE_WRITE))).isEqualTo(1);
    assertThat(leftAfter(() -> store(0))).isZero();
  }

  @Test
  void onlyWhatWasAcknowledgedShouldBeTried() throws IOException {
    acknowledge();
    change(1);
    assertThat(atTheEnd()).isZero();
    assertThat(atFailurePoint()).isZero();
    acknowledge();
    change(2);
    assertThat(atTheEnd()).as("the second with the first").isEqualTo(2);
    assertThat(metadata.atTheEnd(Optional.empty()).isEmpty()).isTrue();
  }

  @Test
  void placeShouldBeTriedEverLessOften() throws IOException {
    List<Integer> tried = new ArrayList<>();
    for (int number = 1; number <= 20; number++) {
      change(1);
      acknowledge();
      if (atFailurePoint() > 0) {
        tried.add(number);
      }
      end(begin(SyncKind.FSYNC), 0);
    }
    assertThat(tried).containsExactly(1, 2, 4, 8, 16);
    change(2);
    acknowledge();
    assertThat(atFailurePoint()).as("another place").isEqualTo(1);
  }

  @Test
  void onlyTheLastChangesShouldBeKept() throws IOException {
    for (int number = 0; number < 40; number++) {
      change(number);
    }
    acknowledge();
    MetadataLosses losses = metadata.atTheEnd(now());
    open.add(losses);
    assertThat(losses.images()).hasSize(32);
    assertThat(losses.undone(losses.images().get(0))).isEqualTo(32);
    assertThat(losses.isNextKnown(0)).isTrue();
    assertThat(losses.isNextKnown(31)).isTrue();
  }

  @Test
  void codeThatMakesVeryManyShouldHaveGaps() throws IOException {
    for (int number = 0; number < 64; number++) {
      change(1);
    }
    change(2);
    change(1);
    acknowledge();
    MetadataLosses losses = metadata.atTheEnd(now());
    open.add(losses);
    assertThat(losses.images()).hasSize(32);
    assertThat(losses.isNextKnown(30)).isTrue();
    assertThat(losses.isNextKnown(31)).as("the last change has no image").isFalse();
    assertThat(metadata.without(1)).isEmpty();
  }
}
