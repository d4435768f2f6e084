// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.FileLine;
import io.powercut.oracle.reads.WatchedLines;
import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
import io.powercut.process.Supervisor;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.ReadLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What recovery reads as Valgrind sees it and natively: nothing that Valgrind sees may be missing.
 * With {@code -Dpowercut.reads.all=true} for all programs of the bug suite.
 */
@Tag("programs")
class WatchedReadsTest {
  private static final Path SUITE = PowercutHome.find().resolve("workloads/bugs");
  private static final List<String> FEW =
      List.of(
          "figure2",
          "cpp-rollback",
          "static-binary",
          "threads",
          "two-files",
          "kernel-store",
          "python-order");
  private static final int LINES_AT_ONCE = 8;
  private static final int MOST_RUNS = 24;

  private static final boolean ALL = Boolean.getBoolean("powercut.reads.all");

  @TempDir private Path folder;

  private record Line(Path path, long offset) {}

  @BeforeAll
  static void build() {
    run(CommandSpec.command("make", "-s", "-C", SUITE.toString()));
  }

  static Stream<String> programs() throws IOException {
    if (!ALL) {
      return FEW.stream();
    }
    try (Stream<Path> all = Files.list(SUITE.resolve("build/correct"))) {
      return all
          .filter(Files::isExecutable)
          .map(program -> program.getFileName().toString())
          .sorted()
          .toList()
          .stream();
    }
  }

  private static void run(CommandSpec.Builder command) {
    run(command.timeLimit(Duration.ofMinutes(2)).build());
  }

  private static void run(CommandSpec command) {
    try (Supervisor supervisor = Supervisor.start()) {
      assertThat(supervisor.run(command).ending().describe()).contains("exited with code 0");
    }
  }

  private static CommandSpec command(String program, String way, Path pm) {
    String binary = SUITE.resolve("build/correct").resolve(program).toString();
    return CommandSpec.command(binary, way, pm.toString())
        .environment(Map.of("PMEM_IS_PMEM_FORCE", "1"))
        .timeLimit(Duration.ofMinutes(1))
        .build();
  }

  private Path copy(Path pm, String name) throws IOException {
    Path copy = folder.resolve(name);
    try (Stream<Path> all = Files.walk(pm)) {
      for (Path file : all.toList()) {
        Files.copy(file, copy.resolve(pm.relativize(file)));
      }
    }
    return copy;
  }

  /** All lines that hold something, in an order of their own. */
  private static List<Line> lines(Path pm) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (Stream<Path> all = Files.walk(pm)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        byte[] content = Files.readAllBytes(file);
        for (int offset = 0; offset < content.length; offset += FileLine.SIZE) {
          int end = Math.min(content.length, offset + FileLine.SIZE);
          for (int place = offset; place < end; place++) {
            if (content[place] != 0) {
              lines.add(new Line(pm.relativize(file), offset));
              break;
            }
          }
        }
      }
    }
    Collections.shuffle(lines, new Random(1));
    return lines;
  }

  private ReadLines recorded(String program, Path pm) throws IOException {
    Path trace = Files.createDirectory(folder.resolve("trace"));
    RecorderOptions options =
        RecorderOptions.recording(pm, trace).recordEvents(false).reads(true).build();
    run(Recorder.find().record(command(program, "check", pm), options));
    ReadLines read = new ReadLines();
    TraceReader.of(trace).read(read);
    return read;
  }

  @ParameterizedTest
  @MethodSource("programs")
  void whatValgrindSeesShouldBeSeenNatively(String program) throws IOException {
    Path pm = Files.createDirectory(folder.resolve("pm"));
    run(command(program, "create", pm));
    run(command(program, "run", pm));
    List<Line> lines = lines(pm);
    ReadLines reference = recorded(program, copy(pm, "recorded"));

    int seen = 0;
    int more = 0;
    for (int run = 0; run < MOST_RUNS && run * LINES_AT_ONCE < lines.size(); run++) {
      List<Line> watched =
          lines.subList(run * LINES_AT_ONCE, Math.min(lines.size(), (run + 1) * LINES_AT_ONCE));
      Path copied = copy(pm, "watched" + run);
      Map<Line, FileLine> places = new HashMap<>();
      Map<FileLine, Long> bytes = new HashMap<>();
      for (Line line : watched) {
        FileLine place = FileLine.of(copied.resolve(line.path()), line.offset());
        places.put(line, place);
        bytes.put(place, -1L);
      }
      WatchedLines question =
          WatchedLines.create(folder.resolve("lines" + run), bytes, Effort.USUAL);
      run(question.watch(command(program, "check", copied)));
      WatchedLines.Answer answer = question.answer(1).orElseThrow();
      for (Map.Entry<Line, FileLine> place : places.entrySet()) {
        Line line = place.getKey();
        boolean isRead = answer.isRead(place.getValue());
        boolean isSeen = reference.contains(line.path().toString(), line.offset());
        assertThat(isRead || !isSeen).as("%s is read: %s", line, answer.reason()).isTrue();
        seen += isSeen ? 1 : 0;
        more += isRead && !isSeen ? 1 : 0;
      }
    }
    if (ALL) {
      System.out.printf("%s: %d lines read, %d more counted%n", program, seen, more);
    }
    assertThat(seen).isPositive();
  }
}
