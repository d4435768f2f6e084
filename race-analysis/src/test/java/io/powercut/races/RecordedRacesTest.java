// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import io.powercut.process.TestPrograms;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceExample;
import io.powercut.races.found.RaceResult;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Races of a program that the recorder has recorded. */
@Tag("programs")
class RecordedRacesTest {
  @TempDir private Path folder;

  private List<Race> races(String what) throws IOException {
    Path program = TestPrograms.compile(RecordedRacesTest.class, "two-threads.c", folder);
    Path pm = Files.createDirectory(folder.resolve("pm"));
    Path trace = Files.createDirectory(folder.resolve("trace"));
    Path pool = Files.write(pm.resolve("pool"), new byte[4096]);
    RecorderOptions options = RecorderOptions.recording(pm, trace).races(true).build();
    CommandSpec command =
        CommandSpec.command(program.toString(), pool.toString(), what)
            .timeLimit(Duration.ofMinutes(2))
            .build();
    try (Supervisor supervisor = Supervisor.start()) {
      CommandResult result = supervisor.run(Recorder.find().record(command, options));
      assertThat(result.ending().describe() + result.outputTail()).contains("exited with code 0");
    }
    TraceTables tables = new TraceTables();
    RaceAnalysis analysis =
        new RaceAnalysis(
            PersistencyDomain.ADR, tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);
    TraceReader.of(trace).read(tables, analysis);
    RaceResult result = analysis.result();
    assertThat(result.isComplete()).isTrue();
    return result.races().stream()
        .filter(race -> !race.load().innermost().function().equals("use"))
        .toList();
  }

  private static List<String> described(List<Race> races) {
    return races.stream().map(RaceAnalysisTest::describe).toList();
  }

  @Test
  void shouldFindALockThatIsReleasedBeforeThePersist() throws IOException {
    List<Race> races = races("early-unlock");

    assertThat(described(races)).containsExactly("region: store, PERSISTED locked_store, load");
    RaceExample example = races.get(0).example();
    assertThat(example.file()).isEqualTo("pool");
    assertThat(example.offset()).isEqualTo(64);
    assertThat(example.size()).isEqualTo(8);
    assertThat(example.storing().held()).hasSize(1);
    assertThat(example.loading().held()).isEqualTo(List.of(lockOf(example.loading())));
    assertThat(lockOf(example.loading()).object()).isEqualTo(lockOf(example.storing()).object());
    assertThat(
            lockOf(example.storing()).acquired().orElseThrow().frames().stream()
                .map(frame -> frame.function()))
        .contains("locked_store");
    assertThat(example.ending().orElseThrow().held()).isEmpty();
  }

  private static RaceExample.LockHeld lockOf(RaceExample.Step step) {
    return step.held().get(0);
  }

  @Test
  void shouldFindNothingWhereTheLockIsHeldUntilThePersist() throws IOException {
    assertThat(races("held")).isEmpty();
  }

  @Test
  void shouldFindNothingWhereTheUnlockIsTheFence() throws IOException {
    assertThat(races("unlock-fences")).isEmpty();
  }

  @Test
  void shouldFindThatTheReaderPersistedWhatItMadeOfIt() throws IOException {
    assertThat(described(races("publish")))
        .containsExactly("consequence: store, PERSISTED write_it, load x1");
  }
}
