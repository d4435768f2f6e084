// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.powercut.process.DataSize;
import io.powercut.process.RunningCommand;
import io.powercut.process.Supervisor;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.LeavesFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.TraceDump;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.DrawingOptions;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Granularity;
import io.powercut.tree.SourcePosition;
import io.powercut.tree.TreeDrawing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reader against the recorder, and both against the truth. */
@Tag("programs")
class RecordedProgramTest {
  private static final Map<String, Integer> POOL_AND_OTHER =
      Map.of("pool", 256 << 10, "other", 256 << 10);

  @TempDir(factory = MemoryTempDir.class)
  private Path folder;

  private RecordedRun newRun(String name) throws IOException {
    return new RecordedRun(folder.resolve(name), Map.of());
  }

  private RecordedRun newMixRun(String name) throws IOException {
    return new RecordedRun(folder.resolve(name), POOL_AND_OTHER);
  }

  @Test
  void shouldFindTheThreeLeavesOfFigure2() throws IOException {
    RecordedRun run = newRun("run");
    Path program = RecordedRun.compile(folder, "figure2.c", "-O0");
    run.runWell(run.options().build(), program.toString(), run.pm().resolve("pool").toString());

    FailurePointTree tree = run.tree(Granularity.PERSISTENCY);

    List<FailurePoint> points = tree.failurePoints();
    assertThat(TreeDrawing.draw(tree, DrawingOptions.DEFAULT))
        .isEqualTo(
            """
            test: 3 failure points, 0 visited
            ├─ main at figure2.c:16  [ ] clwb, 1 time, %s
            ├─ main at figure2.c:19
            │  persist at figure2.c:2  [ ] clwb, 1 time, %s
            └─ main at figure2.c:20
               redundant_loop at figure2.c:8
               persist at figure2.c:2  [ ] clwb, 8 times, %s
            """
                .formatted(points.get(0).id(), points.get(1).id(), points.get(2).id()));
  }

  /** As at every optimisation level that programs are shipped with. */
  @Test
  void shouldNameInlinedFunctionsInnermostFirst() throws IOException {
    RecordedRun run = newRun("run");
    Path program = RecordedRun.compile(folder, "figure2.c", "-O2");
    run.runWell(run.options().build(), program.toString(), run.pm().resolve("pool").toString());

    List<List<SourcePosition>> innermost =
        run.tree(Granularity.PERSISTENCY).failurePoints().stream()
            .map(point -> point.stack().frames().get(0).positions())
            .toList();

    assertThat(innermost)
        .anySatisfy(
            positions ->
                assertThat(positions)
                    .extracting(SourcePosition::function, SourcePosition::fileName)
                    .endsWith(
                        tuple("persist", "figure2.c"),
                        tuple("redundant_loop", "figure2.c"),
                        tuple("main", "figure2.c")))
        .anySatisfy(
            positions -> assertThat(positions).extracting(SourcePosition::line).endsWith(2, 19));
  }

  @Test
  void shouldFindTheSameIdsInTheNextRunUnderAddressSpaceRandomisation() throws IOException {
    Path program = RecordedRun.compile(folder, "figure2.c", "-O0");
    RecordedRun one = newRun("one");
    RecordedRun two = newRun("two");
    one.runWell(one.options().build(), program.toString(), one.pm().resolve("pool").toString());
    two.runWell(two.options().build(), program.toString(), two.pm().resolve("pool").toString());
    assertThat(one.tree(Granularity.PERSISTENCY).failurePoints())
        .isEqualTo(two.tree(Granularity.PERSISTENCY).failurePoints());
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 4"})
  void shouldReplayToTheFilesAtExit(int seed, int threads) throws IOException {
    RecordedRun run = newMixRun("run");
    Path program = RecordedRun.compile(folder, "mix.c");
    run.runWell(
        run.options().build(),
        program.toString(),
        run.pm().toString(),
        Integer.toString(seed),
        "300",
        Integer.toString(threads));

    RecordedRun.assertEqualFiles(run.replay(), run.files());
    assertThat(run.tree(Granularity.PERSISTENCY).size()).isGreaterThan(5);
  }

  @Test
  void shouldReplayAStreamedAndStoredTraceToTheFilesAtExit() throws IOException {
    RecordedRun run = newMixRun("run");
    Path program = RecordedRun.compile(folder, "mix.c");
    Path stored = folder.resolve("trace.zst");
    RecorderOptions options = run.options().chunkSize(DataSize.ofKibibytes(256)).window(2).build();
    try (Supervisor supervisor = Supervisor.start();
        TraceStore store = TraceStore.create(stored)) {
      RunningCommand running =
          supervisor.start(
              run.command(
                  options, List.of(program.toString(), run.pm().toString(), "9", "3000", "0")));
      TraceReader.of(run.trace())
          .following(() -> !running.isRunning())
          .deletingConsumedChunks()
          .storingInto(store)
          .read();
      assertThat(running.await().ending().describe()).contains("exited with code 0");
    }
    RecordedRun.assertEqualFiles(run.replay(stored, Long.MAX_VALUE), run.files());
  }

  @Test
  void shouldStopAtLeavesWithTheFilesThatTheRecordedTraceReplaysTo() throws IOException {
    Path program = RecordedRun.compile(folder, "mix.c");
    RecordedRun recorded = newMixRun("recorded");
    recorded.runWell(
        recorded.options().build(), program.toString(), recorded.pm().toString(), "5", "200", "0");
    FailurePointTree tree = recorded.tree(Granularity.PERSISTENCY);
    LeavesFile leaves = LeavesFile.write(folder.resolve("leaves"), tree);

    for (int execution = 0; execution < tree.size(); execution++) {
      RecordedRun stopped = newMixRun("stopped" + execution);
      stopped.run(
          stopped.options().leaves(leaves.path()).build(),
          program.toString(),
          stopped.pm().toString(),
          "5",
          "200",
          "0");
      ControlFile.Stop stop = stopped.control().stopped().orElseThrow();
      assertThat(tree.visit(stop.id())).isTrue();
      long first = tree.find(stop.id()).orElseThrow().firstOrdinal();
      RecordedRun.assertEqualFiles(recorded.replay(recorded.trace(), first), stopped.files());
      RecordedRun.assertEqualFiles(stopped.replay(), stopped.files());
    }
    assertThat(tree.unvisited()).isEmpty();
    assertThat(leaves.visited()).hasSize(tree.size());
  }

  @Test
  void shouldStopThreadsWithTheFilesThatTheirOwnTraceReplaysTo() throws IOException {
    Path program = RecordedRun.compile(folder, "mix.c");
    RecordedRun recorded = newMixRun("recorded");
    recorded.runWell(
        recorded.options().build(),
        program.toString(),
        recorded.pm().toString(),
        "6",
        "100",
        "4",
        "no-calls");
    LeavesFile leaves =
        LeavesFile.write(folder.resolve("leaves"), recorded.tree(Granularity.PERSISTENCY));
    for (int execution = 0; execution < 4; execution++) {
      RecordedRun stopped = newMixRun("stopped" + execution);
      stopped.run(
          stopped.options().leaves(leaves.path()).occurrence(30).build(),
          program.toString(),
          stopped.pm().toString(),
          "6",
          "100",
          "4",
          "no-calls");
      assertThat(stopped.control().stopped()).isPresent();
      RecordedRun.assertEqualFiles(stopped.replay(), stopped.files());
    }
  }

  @Test
  void shouldCountTheSameFailurePointsAsTheRecorderAtStoreGranularity() throws IOException {
    Path program = RecordedRun.compile(folder, "phases.c");
    RecordedRun run = newRun("run");
    run.runWell(
        run.options().granularity(Granularity.STORE).build(),
        program.toString(),
        run.pm().resolve("pool").toString());
    // Three stacks of put, and each of them at the flush too.
    assertThat(run.tree(Granularity.STORE).failurePoints())
        .extracting(point -> point.stack().framesOfProgram().get(1).function())
        .containsExactly("create", "work", "work", "clean_up");
  }

  @Test
  void shouldLeaveOutExcludedFunctions() throws IOException {
    Path program = RecordedRun.compile(folder, "phases.c");
    RecordedRun run = newRun("run");
    run.runWell(
        run.options().excluded(ExcludedFunctions.of(List.of("crea*"))).build(),
        program.toString(),
        run.pm().resolve("pool").toString());
    assertThat(run.tree(Granularity.PERSISTENCY).failurePoints())
        .extracting(point -> point.stack().framesOfProgram().get(1).function())
        .containsExactly("work", "work", "clean_up");
  }

  @Test
  void shouldAnalyseBetweenTheMarksOnly() throws IOException {
    Path program = RecordedRun.compile(folder, "phases.c");
    RecordedRun run = newRun("run");
    run.runWell(
        run.options().begin(List.of("work_begins")).end(List.of("work_ends")).build(),
        program.toString(),
        run.pm().resolve("pool").toString());
    assertThat(run.tree(Granularity.PERSISTENCY, false).failurePoints())
        .extracting(point -> point.stack().framesOfProgram().get(1).function())
        .containsExactly("work", "work");
  }

  @Test
  void shouldReadAKilledExecutionToItsLastRecordWithCxxNames() throws IOException {
    Path program = RecordedRun.compile(folder, "loop.cpp", "-I" + programs());
    RecordedRun run = newRun("run");
    try (Supervisor supervisor = Supervisor.start()) {
      RunningCommand running =
          supervisor.start(
              run.command(
                  run.options().build(),
                  List.of(program.toString(), run.pm().resolve("pool").toString())));
      CompletableFuture<Long> records =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return TraceReader.of(run.trace()).following(() -> !running.isRunning()).read();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Awaitility.await()
          .until(
              () ->
                  ControlFile.read(run.trace())
                      .map(control -> control.counters().stores() > 10_000)
                      .orElse(false));
      running.kill();
      assertThat(records.join()).isGreaterThan(20_000).isEqualTo(run.read());
    }
    assertThat(run.control().ended()).isFalse();
    assertThat(TreeDrawing.draw(run.treeOfKilled(), DrawingOptions.DEFAULT))
        .contains(
            "main at loop.cpp:16\n   void app::put<long>(long volatile*, long) at loop.cpp:8");
  }

  private static Path programs() {
    return Path.of("src/test/resources/programs").toAbsolutePath();
  }

  @Test
  void shouldPrintATrace() throws IOException {
    Path program = RecordedRun.compile(folder, "figure2.c", "-O0");
    RecordedRun run = newRun("run");
    run.runWell(run.options().build(), program.toString(), run.pm().resolve("pool").toString());
    StringBuilder text = new StringBuilder();
    TraceTables tables = new TraceTables();

    run.read(tables, new TraceDump(text, tables));

    assertThat(text.toString())
        .containsPattern("t1 store 1:0x40 4 bytes: 02000000 in main at figure2.c:18\n")
        .containsPattern("t1 clwb 1:0x40 in persist at figure2.c:2, stack \\d+ [0-9a-f]{16}\n")
        .containsPattern("t1 sfence in persist at figure2.c:3\n")
        .containsPattern("FileDefined\\[.*, path=pool\\]\n");
  }
}
