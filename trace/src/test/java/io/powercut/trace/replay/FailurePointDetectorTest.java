// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.trace.file.TraceFormat;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceWriter;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailurePointDetectorTest {
  private static final long PM = Location.of(1, 0x40);
  private static final long VOLATILE = Location.of(0, 0x7f00_0040L);
  private static final int FIRST_STACK = 1;
  private static final int SECOND_STACK = 2;
  private static final int EXCLUDED_STACK = 3;

  @TempDir private Path directory;
  private TraceWriter writer;

  @BeforeEach
  void setUp() {
    writer = new TraceWriter(directory);
    writer.module(1, "/bin/pm.elf");
    writer.site(1, 1, 0x10, "first", "a.c", 1);
    writer.site(2, 1, 0x20, "second", "a.c", 2);
    writer.site(3, 1, 0x30, "create", "a.c", 3);
    writer.stack(FIRST_STACK, id(0x10), false, 1);
    writer.stack(SECOND_STACK, id(0x20), false, 2);
    writer.stack(EXCLUDED_STACK, id(0x30), true, 3);
    writer.file(1, 0, 4096, "pool");
  }

  private static FailurePointId id(long... offsets) {
    List<Frame> frames = new ArrayList<>();
    for (long offset : offsets) {
      frames.add(Frame.unknown("pm.elf", offset));
    }
    return FailurePointId.of(frames);
  }

  private void store() {
    storeWithStack(0);
  }

  private void storeWithStack(int stack) {
    writer.store(1, stack, PM, (byte) 1);
  }

  private FailurePointTree detect(Granularity granularity) throws IOException {
    return detect(granularity, ExcludedFunctions.NONE);
  }

  private FailurePointTree detect(Granularity granularity, ExcludedFunctions excluded)
      throws IOException {
    writer.end();
    TraceTables tables = new TraceTables();
    FailurePointTree tree = new FailurePointTree("pm.elf", granularity, excluded);
    TraceReader.of(directory).read(tables, FailurePointDetector.into(tree, tables));
    return tree;
  }

  private static List<String> describe(FailurePointTree tree) {
    return tree.failurePoints().stream()
        .map(
            point ->
                point.stack().innermost().function()
                    + " "
                    + point.instruction().label()
                    + " "
                    + point.occurrences())
        .toList();
  }

  @Test
  void shouldTakeTheFirstCandidateAfterEachStoreOnly() throws IOException {
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    store();
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    store();
    writer.fence(FenceKind.LOCKED, SECOND_STACK);

    assertThat(describe(detect(Granularity.PERSISTENCY)))
        .containsExactly("first clwb 2", "second locked 1");
  }

  /** The power may be cut between two of them, and before the first if something was stored. */
  @Test
  void shouldTakeChangesOfMetadataAndWhatFollowsThem() throws IOException {
    writer.metadata(MetadataKind.UNLINK, FIRST_STACK, "data", "");
    writer.metadata(MetadataKind.RENAME, SECOND_STACK, "new", "data");
    writer.sync(SyncKind.DIRECTORY, FIRST_STACK, 0, 0, 1);
    writer.metadata(MetadataKind.RESIZE, SECOND_STACK, "data", "");
    store();
    writer.metadata(MetadataKind.RENAME, SECOND_STACK, "new", "data");

    assertThat(describe(detect(Granularity.PERSISTENCY)))
        .containsExactly("second rename 2", "first fsync 1");
  }

  @Test
  void shouldNotTakeChangesOfMetadataBeforeTheBeginMark() throws IOException {
    writer.metadata(MetadataKind.CREATE, FIRST_STACK, "data", "");
    writer.mark(true);
    writer.metadata(MetadataKind.RESIZE, SECOND_STACK, "data", "");
    writer.fence(FenceKind.SFENCE, FIRST_STACK);
    writer.end();
    TraceTables tables = new TraceTables();
    FailurePointTree tree =
        new FailurePointTree("pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    TraceReader.of(directory)
        .read(tables, FailurePointDetector.into(tree, tables).waitingForBeginMark());

    assertThat(describe(tree)).containsExactly("first sfence 1");
  }

  @Test
  void shouldPointAtTheRecordOfTheFirstVisit() throws IOException {
    store();
    writer.sync(SyncKind.MSYNC, FIRST_STACK, PM, 4096, 1);
    FailurePointTree tree = detect(Granularity.PERSISTENCY);
    assertThat(tree.failurePoints())
        .extracting(FailurePoint::firstOrdinal, FailurePoint::instruction)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(9L, Instruction.MSYNC));
  }

  @Test
  void shouldNotTakeFlushesOfVolatileMemory() throws IOException {
    store();
    writer.flush(FlushKind.CLFLUSHOPT, FIRST_STACK, VOLATILE);
    writer.fence(FenceKind.MFENCE, SECOND_STACK);
    assertThat(describe(detect(Granularity.PERSISTENCY))).containsExactly("second mfence 1");
  }

  @Test
  void shouldPassOverExcludedStacksToTheNextCandidate() throws IOException {
    store();
    writer.flush(FlushKind.CLFLUSH, EXCLUDED_STACK, PM);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    assertThat(describe(detect(Granularity.PERSISTENCY))).containsExactly("second sfence 1");
  }

  @Test
  void shouldExcludeWhatTheTreeExcludes() throws IOException {
    store();
    writer.flush(FlushKind.CLFLUSH, FIRST_STACK, PM);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    assertThat(describe(detect(Granularity.PERSISTENCY, ExcludedFunctions.of(List.of("fir*")))))
        .containsExactly("second sfence 1");
  }

  @Test
  void shouldTakeEveryStoreInFrontOfWhichThereWasOne() throws IOException {
    storeWithStack(FIRST_STACK);
    storeWithStack(SECOND_STACK);
    storeWithStack(FIRST_STACK);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    storeWithStack(FIRST_STACK);

    assertThat(describe(detect(Granularity.STORE)))
        .containsExactly("second store 2", "first store 1");
  }

  @Test
  void shouldTakeASplitStoreOnce() throws IOException {
    storeWithStack(FIRST_STACK);
    writer.storeWithFlags(StoreFlags.MORE, 1, SECOND_STACK, PM, (byte) 1);
    writer.storeWithFlags(StoreFlags.MORE, 1, SECOND_STACK, PM, (byte) 1);
    writer.storeWithFlags(0, 1, SECOND_STACK, PM, (byte) 1);

    assertThat(describe(detect(Granularity.STORE))).containsExactly("second store 1");
  }

  @Test
  void shouldTakeStoresOfOthersAfterASplitStoreThatWasNeverFinished() throws IOException {
    storeWithStack(FIRST_STACK);
    writer.storeWithFlags(StoreFlags.MORE, 1, SECOND_STACK, PM, (byte) 1);
    writer.storeOfThread(2, 1, FIRST_STACK, PM, (byte) 1);
    writer.storeOfThread(2, 1, FIRST_STACK, PM, (byte) 1);

    assertThat(describe(detect(Granularity.STORE)))
        .containsExactly("second store 1", "first store 1");
  }

  @Test
  void shouldNotTakeStoresWhenTheGranularityIsPersistency() throws IOException {
    storeWithStack(FIRST_STACK);
    storeWithStack(SECOND_STACK);
    assertThat(describe(detect(Granularity.PERSISTENCY))).isEmpty();
  }

  /** Such a write persists when it returns, as fsync does. */
  @Test
  void shouldTakeWritesThatAreDurableWhateverTheGranularity() throws IOException {
    storeWithStack(FIRST_STACK);
    writer.storeWithFlags(StoreFlags.FILE_WRITE, 1, FIRST_STACK, PM, (byte) 1);
    writer.storeWithFlags(
        StoreFlags.SYNCHRONOUS_WRITE | StoreFlags.MORE, 1, SECOND_STACK, PM, (byte) 1);
    writer.storeWithFlags(StoreFlags.SYNCHRONOUS_WRITE, 1, SECOND_STACK, PM, (byte) 1);
    writer.storeWithFlags(StoreFlags.SYNCHRONOUS_WRITE, 1, FIRST_STACK, PM, (byte) 1);

    assertThat(describe(detect(Granularity.PERSISTENCY)))
        .containsExactly("second file-write 1", "first file-write 1");
  }

  @Test
  void shouldCountOnlyBetweenMarks() throws IOException {
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.mark(true);
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    store();
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    writer.mark(false);
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.end();

    TraceTables tables = new TraceTables();
    FailurePointTree tree =
        new FailurePointTree("pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    FailurePointDetector detector = FailurePointDetector.into(tree, tables).waitingForBeginMark();
    TraceReader.of(directory).read(tables, detector);

    assertThat(describe(tree)).containsExactly("second sfence 1");
    assertThat(detector.failurePoints()).isEqualTo(1);
  }

  @Test
  void acknowledgementShouldMakeTheNextFenceAFailurePoint() throws IOException {
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.output(TraceFormat.OUTPUT_ACKNOWLEDGES, "done");
    writer.fence(FenceKind.SFENCE, SECOND_STACK);
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.output(0, "a message that acknowledges nothing");
    writer.fence(FenceKind.SFENCE, SECOND_STACK);

    assertThat(describe(detect(Granularity.PERSISTENCY)))
        .containsExactly("first clwb 2", "second sfence 1");
  }

  @Test
  void shouldTellTheListenerOfEachVisitInOrder() throws IOException {
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    store();
    writer.flush(FlushKind.CLWB, FIRST_STACK, PM);
    writer.end();
    TraceTables tables = new TraceTables();
    List<String> told = new ArrayList<>();
    FailurePointDetector detector =
        FailurePointDetector.into(
                new FailurePointTree("pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.NONE),
                tables)
            .telling(
                (ordinal, stack, instruction, isNew) ->
                    told.add(ordinal + " " + stack.innermost().function() + " " + isNew));

    TraceReader.of(directory).read(tables, detector);

    assertThat(told).containsExactly("9 first true", "11 first false");
  }

  @Test
  void shouldNoticeThatTheRecorderComputesOtherIds() throws IOException {
    writer.stack(9, id(0x99), false, 1);
    store();
    writer.fence(FenceKind.SFENCE, 9);
    assertThatIllegalStateException()
        .isThrownBy(() -> detect(Granularity.PERSISTENCY))
        .withMessageContaining(id(0x99).toString())
        .withMessageContaining(id(0x10).toString());
  }
}
