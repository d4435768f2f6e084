// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import io.powercut.process.TestPrograms;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.TraceReplay;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Granularity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One execution of a test program under the recorder, in a folder of its own. */
final class RecordedRun {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private final Path pm;
  private final Path initial;
  private final Path trace;

  /**
   * @param files names and sizes of files in the PM directory
   */
  RecordedRun(Path folder, Map<String, Integer> files) throws IOException {
    this.folder = Files.createDirectories(folder);
    pm = Files.createDirectory(folder.resolve("pm"));
    initial = Files.createDirectory(folder.resolve("initial"));
    trace = Files.createDirectory(folder.resolve("trace"));
    for (Map.Entry<String, Integer> file : files.entrySet()) {
      byte[] content = new byte[file.getValue()];
      for (int index = 0; index < content.length; index++) {
        content[index] = (byte) (index * 7);
      }
      Files.write(pm.resolve(file.getKey()), content);
      Files.write(initial.resolve(file.getKey()), content);
    }
  }

  static Path compile(Path folder, String program, String... options) throws IOException {
    try {
      Path source =
          Path.of(requireNonNull(RecordedRun.class.getResource("/programs/" + program)).toURI());
      return TestPrograms.compile(folder, source, options);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  Path pm() {
    return pm;
  }

  Path trace() {
    return trace;
  }

  RecorderOptions.Builder options() {
    return RecorderOptions.recording(pm, trace);
  }

  CommandSpec command(RecorderOptions options, List<String> command) {
    return Recorder.find()
        .record(
            CommandSpec.command(command)
                .timeLimit(LIMIT)
                .outputFile(folder.resolve("output"))
                .addressSpaceRandomised(true)
                .build(),
            options);
  }

  CommandResult run(RecorderOptions options, String... command) {
    try (Supervisor supervisor = Supervisor.start()) {
      return supervisor.run(command(options, List.of(command)));
    }
  }

  void runWell(RecorderOptions options, String... command) throws IOException {
    CommandResult result = run(options, command);
    assertThat(result.ending().describe() + result.outputTail())
        .contains("exited with code 0")
        .doesNotContain("Assertion");
    assertThat(control().ended()).isTrue();
    assertThat(control().error()).isEmpty();
  }

  ControlFile control() throws IOException {
    return ControlFile.read(trace).orElseThrow();
  }

  long read(TraceConsumer... consumers) throws IOException {
    return TraceReader.of(trace).read(consumers);
  }

  /** The tree, of which recorder and reader must have counted the same occurrences. */
  FailurePointTree tree(Granularity granularity) throws IOException {
    return tree(granularity, true);
  }

  FailurePointTree tree(Granularity granularity, boolean activeAtStart) throws IOException {
    TraceTables tables = new TraceTables();
    FailurePointDetector detector = detector(granularity, tables);
    if (!activeAtStart) {
      detector = detector.waitingForBeginMark();
    }
    read(tables, detector);
    assertThat(detector.failurePoints()).isEqualTo(control().counters().failurePoints());
    return detector.tree();
  }

  /** The tree of a killed execution, of which the recorder may have counted one visit more. */
  FailurePointTree treeOfKilled() throws IOException {
    TraceTables tables = new TraceTables();
    FailurePointDetector detector = detector(Granularity.PERSISTENCY, tables);
    read(tables, detector);
    return detector.tree();
  }

  private static FailurePointDetector detector(Granularity granularity, TraceTables tables) {
    return FailurePointDetector.into(
        new FailurePointTree("test", granularity, ExcludedFunctions.NONE), tables);
  }

  /** Replays a trace up to a record in a fresh copy of the files before the run. */
  Map<String, List<Byte>> replay(Path source, long end) throws IOException {
    Path copy = Files.createTempDirectory(folder, "replay");
    for (Path file : list(initial)) {
      Files.copy(file, copy.resolve(initial.relativize(file)));
    }
    try (TraceReplay replay = new TraceReplay(copy, end)) {
      TraceReader.of(source).read(replay);
    }
    return contents(copy);
  }

  Map<String, List<Byte>> replay() throws IOException {
    return replay(trace, Long.MAX_VALUE);
  }

  Map<String, List<Byte>> files() throws IOException {
    return contents(pm);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(path -> !path.equals(directory)).sorted().toList();
    }
  }

  private static Map<String, List<Byte>> contents(Path directory) throws IOException {
    Map<String, List<Byte>> result = new TreeMap<>();
    for (Path path : list(directory)) {
      String name = directory.relativize(path).toString();
      result.put(name, Files.isDirectory(path) ? List.of() : boxed(path));
    }
    return result;
  }

  private static List<Byte> boxed(Path file) {
    try {
      byte[] content = Files.readAllBytes(file);
      List<Byte> result = new ArrayList<>(content.length);
      for (byte octet : content) {
        result.add(octet);
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails with the first difference rather than with two whole files. */
  static void assertEqualFiles(Map<String, List<Byte>> actual, Map<String, List<Byte>> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    actual.forEach(
        (name, bytes) -> {
          List<Byte> others = requireNonNull(expected.get(name));
          assertThat(bytes).describedAs("size of " + name).hasSameSizeAs(others);
          for (int index = 0; index < bytes.size(); index++) {
            if (!bytes.get(index).equals(others.get(index))) {
              throw new AssertionError(
                  "%s differs at 0x%x: %s instead of %s"
                      .formatted(name, index, bytes.get(index), others.get(index)));
            }
          }
        });
  }
}
