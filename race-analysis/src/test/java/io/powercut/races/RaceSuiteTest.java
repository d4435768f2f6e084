// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
import io.powercut.process.Supervisor;
import io.powercut.process.TestPrograms;
import io.powercut.races.found.Race;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each program of {@code workloads/races}, in both variants, gives the report in its source, in the
 * usual order of its threads and in others. {@code -Dpowercut.seeds=N} tries N others; odd ones
 * have the policy delay, even ones pct.
 */
@Tag("programs")
class RaceSuiteTest {
  private static final Path SUITE = PowercutHome.find().resolve("workloads/races");
  private static final int SEEDS = Integer.getInteger("powercut.seeds", 1);

  /** So short that threads also change places within what they do. */
  private static final long QUANTUM = 1_000;

  @TempDir private static Path folder;

  /** One variant of a program, in one order of its threads. */
  record Case(Path source, String program, String variant, ThreadSchedule order) {
    @Override
    public String toString() {
      String seed =
          order.equals(ThreadSchedule.USUAL)
              ? ""
              : ", " + order.policy().name().toLowerCase(Locale.ROOT) + " " + order.seed();
      return program + ", " + variant + seed;
    }
  }

  private static Stream<ThreadSchedule> orders() {
    Stream<ThreadSchedule> others =
        IntStream.rangeClosed(1, SEEDS)
            .mapToObj(
                seed ->
                    ThreadSchedule.of(
                        seed % 2 == 1 ? ThreadSchedule.Policy.DELAY : ThreadSchedule.Policy.PCT,
                        seed,
                        QUANTUM));
    return Stream.concat(Stream.of(ThreadSchedule.USUAL), others);
  }

  static Stream<Case> programs() throws IOException {
    try (Stream<Path> files = Files.list(SUITE)) {
      return files
          .filter(file -> file.toString().matches(".*\\.(c|cpp)"))
          .sorted()
          .toList()
          .stream()
          .flatMap(RaceSuiteTest::casesOf);
    }
  }

  private static Stream<Case> casesOf(Path source) {
    String name = source.getFileName().toString().replaceFirst("\\.\\w+$", "");
    Stream<String> programs =
        name.startsWith("ten-") ? Stream.of(name, name + "-optimised") : Stream.of(name);
    return programs.flatMap(
        program ->
            Stream.of(ExpectedRaces.RACY, ExpectedRaces.CORRECT)
                .flatMap(
                    variant -> orders().map(order -> new Case(source, program, variant, order))));
  }

  @BeforeAll
  static void build() throws IOException {
    TestPrograms.output("make", "-s", "-j", "2", "-C", SUITE.toString());
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Execution(ExecutionMode.CONCURRENT)
  void shouldReportWhatTheSourceSays(Case one) throws IOException {
    Path place = Files.createTempDirectory(folder, one.program());
    ExpectedRaces expected = ExpectedRaces.of(one.source(), one.variant());

    List<Race> races = racesOf(one, place);

    assertThat(expected.differences(races)).isEmpty();
  }

  private static List<Race> racesOf(Case one, Path place) throws IOException {
    Path pm = Files.createDirectory(place.resolve("pm"));
    Path trace = Files.createDirectory(place.resolve("trace"));
    CommandSpec command =
        CommandSpec.command(
                SUITE.resolve("build").resolve(one.program()).toString(),
                one.variant(),
                pm.resolve("pool").toString())
            .timeLimit(Duration.ofMinutes(2))
            .outputFile(place.resolve("output"))
            .build();
    RecorderOptions options =
        RecorderOptions.recording(pm, trace).races(true).schedule(one.order()).build();
    try (Supervisor supervisor = Supervisor.start()) {
      CommandResult result = supervisor.run(Recorder.find().record(command, options));
      assertThat(result.ending().describe() + result.outputTail()).contains("exited with code 0");
    }
    TraceTables tables = new TraceTables();
    RaceAnalysis analysis =
        new RaceAnalysis(
            PersistencyDomain.ADR, tables, ExcludedFunctions.NONE, true, RaceOptions.USUAL);
    TraceReader.of(trace).read(tables, analysis);
    assertThat(analysis.result().isComplete()).isTrue();
    return analysis.result().races();
  }
}
