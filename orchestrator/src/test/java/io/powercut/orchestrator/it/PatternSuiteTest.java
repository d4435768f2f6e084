package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.Involved;
import io.powercut.analysis.PatternReport;
import io.powercut.analysis.TracePatterns;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The patterns of misuse in the traces of the bug suite, every program and both variants: exactly
 * those of its ground truth, no more and no less.
 */
@Tag("campaign")
class PatternSuiteTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final String BUG = "bug";
  private static final String CORRECT = "correct";
  private static final String WARNING = "warning";

  /** What the truth gives no number for. */
  private static final String ANY = "any number of times";

  @BeforeAll
  static void build() {
    Workbench.make("bugs");
  }

  record Case(BugTruth truth, String variant) {
    @Override
    public String toString() {
      return truth.name() + ", " + variant;
    }

    List<BugTruth.ExpectedPattern> expected() {
      return truth.patterns().getOrDefault(variant, List.of());
    }

    /** A pattern as truth.yaml writes it, without its reason and count. */
    String key(PatternReport report) {
      return key(
          report.kind().label(),
          report.severity().name().toLowerCase(Locale.ROOT),
          report.involved().stream().map(this::place).toList());
    }

    static String key(String kind, String severity, List<String> at) {
      return severity + " " + kind + " at " + at;
    }

    private String place(Involved involved) {
      return involved.role().name().toLowerCase(Locale.ROOT).replace('_', '-')
          + " "
          + ownPlace(involved.stack().frames());
    }

    /** The name of the innermost line of the program's own source. */
    private String ownPlace(List<Frame> stack) {
      for (Frame frame : stack) {
        for (SourcePosition position : frame.positions()) {
          if (position.fileName().equals(truth.sourceName())) {
            return truth.places().getOrDefault(position.line(), position.toString());
          }
        }
      }
      return stack.toString();
    }
  }

  static Stream<Case> variants() {
    return BugTruth.all().stream()
        .flatMap(truth -> Stream.of(BUG, CORRECT).map(variant -> new Case(truth, variant)));
  }

  static Stream<Case> correctTwins() {
    return variants().filter(one -> one.variant().equals(CORRECT));
  }

  @ParameterizedTest
  @MethodSource("variants")
  @Execution(ExecutionMode.CONCURRENT)
  void patternsShouldBeExactlyThoseOfTheTruth(Case one) throws IOException {
    List<PatternReport> reports = analyse(one);

    Map<String, String> expected = new HashMap<>();
    for (BugTruth.ExpectedPattern pattern : one.expected()) {
      String key = Case.key(pattern.kind(), pattern.severity(), pattern.at());
      String count = pattern.count().map(PatternSuiteTest::times).orElse(ANY);
      assertThat(expected.put(key, count)).as("twice in the truth: %s", key).isNull();
    }
    assertThat(counts(one, reports, expected)).isEqualTo(expected);
    one.expected().forEach(pattern -> assertReason(one, pattern, reports));
  }

  @ParameterizedTest
  @MethodSource("correctTwins")
  void truthShouldExpectNothingButWarningsOfTheCorrectTwin(Case one) {
    assertThat(one.expected())
        .extracting(BugTruth.ExpectedPattern::severity)
        .allMatch(WARNING::equals);
  }

  private static String times(long count) {
    return count + " times";
  }

  /** Reports that differ in the library's part of a stack count as one. */
  private static Map<String, String> counts(
      Case one, List<PatternReport> reports, Map<String, String> expected) {
    Map<String, Long> counts = new HashMap<>();
    reports.forEach(report -> counts.merge(one.key(report), report.count(), Long::sum));
    Map<String, String> described = new HashMap<>();
    counts.forEach(
        (key, count) -> described.put(key, ANY.equals(expected.get(key)) ? ANY : times(count)));
    return described;
  }

  private static void assertReason(
      Case one, BugTruth.ExpectedPattern pattern, List<PatternReport> reports) {
    String key = Case.key(pattern.kind(), pattern.severity(), pattern.at());
    pattern
        .because()
        .ifPresent(
            words ->
                assertThat(reports)
                    .filteredOn(report -> one.key(report).equals(key))
                    .extracting(PatternReport::seen)
                    .allMatch(seen -> seen.contains(words), "has the words: " + words));
  }

  private static List<PatternReport> analyse(Case one) throws IOException {
    Path folder = Files.createTempDirectory(TMPFS, "patterns-");
    try (Supervisor supervisor = Supervisor.start()) {
      Path pm = Files.createDirectory(folder.resolve("pm"));
      Path trace = Files.createDirectory(folder.resolve("trace"));
      assertWell(supervisor.run(command(one, folder, "create", pm)));
      RecorderOptions options =
          RecorderOptions.recording(pm, trace).allStacks(true).begin(begin(one.truth())).build();
      assertWell(supervisor.run(Recorder.find().record(command(one, folder, "run", pm), options)));

      TraceTables tables = new TraceTables();
      CacheLineTracker tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
      TracePatterns patterns =
          TracePatterns.observing(
              tracker,
              tables,
              ExcludedFunctions.of(one.truth().exclude().orElse(List.of())),
              begin(one.truth()).isEmpty());
      TraceReader.of(trace).read(tables, patterns, tracker);
      return patterns.result().reports();
    } finally {
      PathUtils.deleteDirectory(folder);
    }
  }

  /** Opening a pool is long, and PMDK's own. */
  private static List<String> begin(BugTruth truth) {
    return truth.library().isPresent() ? List.of("run") : List.of();
  }

  private static CommandSpec command(Case one, Path folder, String verb, Path pm) {
    return CommandSpec.command(one.truth().program(one.variant()).toString(), verb, pm.toString())
        .environment("PMEM_IS_PMEM_FORCE", "1")
        // Without AVX-512, libpmem fences in the middle of a long copy unless told not to.
        .environment("PMEM_WC_WORKAROUND", "0")
        .outputFile(folder.resolve("output"))
        .timeLimit(LIMIT)
        .build();
  }

  private static void assertWell(CommandResult result) {
    assertThat(result.isSuccess())
        .as(result.ending().describe() + "\n" + result.outputTail())
        .isTrue();
  }
}
