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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Two of one function, one with three callers, one of program order, a late one. */
  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource({
    "ledger, 1",
    "ledger, 2",
    "ledger, 7",
    "ledger, 12",
    "ledger, 14",
    "ledger, 18",
    "containers, 1",
    "containers, 2",
    "containers, 5",
    "containers, 13",
    "depot, 2",
    "depot, 3",
    "depot, 12"
  })
  void fixingOneMistakeShouldTakeExactlyItsFindingAway(String program, int id) throws IOException {
    CompositeTruth truth = truth(program);
    Path before = run(truth, BUG);
    Path after = run(truth, "fix-" + id);

    JsonNode diff =
        new ObjectMapper()
            .readTree(
                powercut("diff", before.toString(), after.toString(), "--format", "json").output());

    List<String> expected =
        comparison(truth).findingsOf(truth.mistake(id)).stream().map(Finding::fingerprint).toList();
    assertThat(expected).as("findings of mistake " + truth.mistake(id)).hasSize(1);
    assertThat(bugTitles(diff.get("new"))).as("new").isEmpty();
    assertThat(bugTitles(diff.get("gone")))
        .as("gone")
        .singleElement()
        .asString()
        .startsWith(expected.get(0));
  }

  private static List<String> bugTitles(JsonNode findings) {
    return StreamSupport.stream(findings.spliterator(), false)
        .filter(one -> one.get("severity").asText().equals(Severity.BUG.name()))
        .map(one -> one.get("fingerprint").asText() + " " + one.get("title").asText())
        .toList();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("programs")
  void acceptingAFindingShouldLeaveTheOthers(CompositeTruth truth) {
    Path run = run(truth, BUG);
    List<String> all = bugs(Workbench.report(run)).stream().map(Finding::fingerprint).toList();
    for (int last = 0; last < all.size(); last++) {
      Said said = powercut("accept", all.get(last), "--run", run.toString(), "--reason", "known");
      assertThat(said.exitCode()).as(said.errors()).isZero();
      boolean isAll = last == all.size() - 1;
      assertThat(powercut("report", run.toString()).exitCode()).isEqualTo(isAll ? 0 : 1);

      List<Finding> after = bugs(Workbench.report(run));
      assertThat(after).hasSameSizeAs(all);
      assertThat(after)
          .filteredOn(one -> one.accepted().isPresent())
          .extracting(Finding::fingerprint)
          .containsExactlyInAnyOrderElementsOf(all.subList(0, last + 1));
    }
  }

  private static CompositeTruth truth(String program) {
    return CompositeTruth.all().stream()
        .filter(one -> one.program().equals(program))
        .findFirst()
        .orElseThrow();
  }
}
