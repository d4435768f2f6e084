// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The composite programs with the defaults: one mistake is one finding, one finding is one mistake.
 */
@Tag("campaign")
class CompositeSuiteTest {
  private static final String BUG = "bug";

  @RegisterExtension private static final Workbench workbench = Workbench.with("composite");

  private static final Map<String, Path> RUNS = new ConcurrentHashMap<>();

  static Stream<CompositeTruth> programs() {
    return CompositeTruth.all().stream();
  }

  /** The run directory of a variant, with the defaults; each variant is run once. */
  private static Path run(CompositeTruth truth, String variant) {
    String name = truth.program() + "-" + variant;
    return RUNS.computeIfAbsent(name, missing -> newRun(truth, variant, name));
  }

  private static Path newRun(CompositeTruth truth, String variant, String name) {
    Path file = Workbench.home().resolve("configs/bugs/composite.yaml");
    List<String> overrides =
        List.of(
            "name=" + name,
            "parameters.program=" + truth.program(),
            "parameters.variant=" + variant,
            "recovery.timeout=" + truth.recoveryTimeout(),
            "occurrences=null",
            "occurrences.share=0", // what there happens to be time for differs from run to run
            "baseline=" + workbench.directory().resolve(name + ".yaml"));
    Report report = workbench.run(workbench.load(file, overrides), file).report();
    assertThat(report.outcome().exitCode()).as(report.outcome().meaning()).isIn(0, 1);
    return workbench.runs().resolve(name + "/latest");
  }

  private static CompositeComparison comparison(CompositeTruth truth) {
    return CompositeComparison.of(truth, Workbench.report(run(truth, BUG)).findings());
  }

  /** One at a time, since what it prints is caught: tests run beside one another. */
  private static synchronized Said powercut(String... arguments) {
    return Workbench.powercut(arguments);
  }

  private static List<Finding> bugs(Report report) {
    return report.findings().stream().filter(one -> one.severity() == Severity.BUG).toList();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("programs")
  void correctTwinShouldHaveNoBug(CompositeTruth truth) {
    Report report = Workbench.report(run(truth, "correct"));

    assertThat(bugs(report)).extracting(one -> one.title() + " " + one.place()).isEmpty();
    assertThat(report.outcome().exitCode()).isZero();
    Workbench.requireComplete(report);
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("programs")
  void everyMistakeShouldBeOneFindingAtItsLineAndOfItsKind(CompositeTruth truth) {
    CompositeComparison comparison = comparison(truth);

    assertThat(comparison.problems()).as(comparison.table()).isEmpty();
    Workbench.requireComplete(Workbench.report(run(truth, BUG)));
  }

  static Stream<Arguments> halves() {
    return CompositeTruth.all().stream()
        .flatMap(truth -> Stream.of("fix-odd", "fix-even").map(half -> Arguments.of(truth, half)));
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("halves")
  void fixingHalfOfTheMistakesShouldTakeExactlyTheirFindingsAway(CompositeTruth truth, String half)
      throws IOException {
    Path before = run(truth, BUG);
    Path after = run(truth, half);
    CompositeComparison comparison = comparison(truth);
    int fixed = half.equals("fix-odd") ? 1 : 0;
    List<String> expected =
        truth.mistakes().stream()
            .filter(mistake -> mistake.id() % 2 == fixed)
            .flatMap(mistake -> comparison.findingsOf(mistake).stream())
            .map(Finding::fingerprint)
            .toList();

    JsonNode diff =
        new ObjectMapper()
            .readTree(
                powercut("diff", before.toString(), after.toString(), "--format", "json").output());

    assertThat(bugs(diff.get("new"))).as("new").isEmpty();
    assertThat(bugs(diff.get("gone")).keySet())
        .as("gone: %s", bugs(diff.get("gone")))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Titles by fingerprint. */
  private static Map<String, String> bugs(JsonNode findings) {
    return StreamSupport.stream(findings.spliterator(), false)
        .filter(one -> one.get("severity").asText().equals(Severity.BUG.name()))
        .collect(
            Collectors.toMap(
                one -> one.get("fingerprint").asText(), one -> one.get("title").asText()));
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("programs")
  void acceptingAFindingShouldLeaveTheOthers(CompositeTruth truth) {
    Path run = run(truth, BUG);
    List<String> all = bugs(Workbench.report(run)).stream().map(Finding::fingerprint).toList();
    // The first, all but the last, and the last: forms are written anew after each of these.
    for (int accepted : List.of(1, all.size() - 1, all.size())) {
      List<String> more = all.subList(alreadyAccepted(run), accepted);
      if (!more.isEmpty()) {
        List<String> command = new ArrayList<>(List.of("accept"));
        command.addAll(more);
        command.addAll(List.of("--run", run.toString(), "--reason", "known"));
        Said said = powercut(command.toArray(String[]::new));
        assertThat(said.exitCode()).as(said.errors()).isZero();
      }
      assertThat(powercut("report", run.toString()).exitCode())
          .isEqualTo(accepted == all.size() ? 0 : 1);

      List<Finding> after = bugs(Workbench.report(run));
      assertThat(after).hasSameSizeAs(all);
      assertThat(after)
          .filteredOn(one -> one.accepted().isPresent())
          .extracting(Finding::fingerprint)
          .containsExactlyInAnyOrderElementsOf(all.subList(0, accepted));
    }
  }

  private static int alreadyAccepted(Path run) {
    return (int)
        bugs(Workbench.report(run)).stream().filter(one -> one.accepted().isPresent()).count();
  }
}
