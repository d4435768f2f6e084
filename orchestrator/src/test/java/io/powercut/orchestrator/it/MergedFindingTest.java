// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.report.Summary;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One mistake that several analyses see is one finding. */
@Tag("campaign")
class MergedFindingTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  private static Report run(String program, String granularity) {
    return runWith(program, "failurePoints.granularity=" + granularity);
  }

  private static Report runWith(String program, String... more) {
    Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
    List<String> overrides =
        new ArrayList<>(List.of("parameters.program=" + program, "build=null"));
    overrides.addAll(List.of(more));
    return workbench.run(workbench.load(file, overrides), file).report();
  }

  @ParameterizedTest
  @CsvSource({"flag-unflushed-data, persistency, 0", "torn-unflushed-pair, store, 1"})
  void missingFlushThatACrashShowsTooShouldBeOneBug(
      String program, String granularity, int leastPatterns) {
    Report report = run(program, granularity);

    List<Finding> bugs =
        report.findings().stream().filter(one -> one.severity() == Severity.BUG).toList();
    assertThat(bugs).hasSize(1);
    assertThat(bugs.get(0).kind()).isEqualTo("UNRECOVERABLE");
    assertThat(bugs.get(0).injection()).isPresent();
    assertThat(bugs.get(0).patterns())
        .hasSizeGreaterThanOrEqualTo(leastPatterns)
        .allSatisfy(pattern -> assertThat(pattern.pattern()).isEqualTo(PatternKind.NOT_PERSISTED));
    assertThat(report.outcome().exitCode()).isEqualTo(1);
  }

  /** Each of these persists something before what it vouches for, which then could also be lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "flag-before-data",
        "undo-after-update",
        "list-publish",
        "length-before-content",
        "threads",
        "cpp-rollback",
        "msync-order"
      })
  void crashStateOfAMistakeThatProgramOrderShowsShouldBePartOfThatBug(String program) {
    Report report = run(program, "persistency");
    List<Finding> bugs =
        report.findings().stream().filter(one -> one.severity() == Severity.BUG).toList();

    assertThat(bugs).hasSize(1);
    assertThat(bugs.get(0).injection().orElseThrow().state()).isEmpty();
    assertThat(String.join("\n", Summary.of(report, "report.html")))
        .containsPattern("and \\d+ more proofs? of it in report.html");
    assertThat(bugs.get(0).evidence())
        .filteredOn(InjectionEvidence.class::isInstance)
        .extracting(evidence -> ((InjectionEvidence) evidence).state().isPresent())
        .contains(true);
  }

  @Test
  void imageOfAFindingShouldComeWithItsStores() {
    List<ImageStore> stores =
        run("flag-unflushed-data", "persistency")
            .findings()
            .get(0)
            .injection()
            .orElseThrow()
            .changes()
            .stores();

    assertThat(stores).hasSize(1);
    assertThat(stores.get(0).file()).isEqualTo("pool");
    assertThat(stores.get(0).offset()).isZero();
    assertThat(stores.get(0).bytes()).isEqualTo("0100000000000000");
    assertThat(stores.get(0).stack())
        .extracting(StackFrame::function)
        .containsExactly("publish", "run", "main");
  }

  private static List<String> kinds(Report report) {
    return report.findings().stream().map(Finding::kind).toList();
  }

  @Test
  void patternsShouldBeReportedAsTheCampaignWantsThem() {
    String program = "missing-flush";
    String only = "crashStates.enabled=false";
    assertThat(kinds(runWith(program, only)))
        .containsExactlyInAnyOrder("NOT_PERSISTED", "UNORDERED_FENCE");
    assertThat(kinds(runWith(program, only, "patterns.warnings=false"))).isEmpty();
    assertThat(kinds(runWith(program, only, "patterns.ignore=[not-persisted]")))
        .containsExactly("UNORDERED_FENCE");
    Report without = runWith(program, only, "patterns.enabled=false");
    assertThat(without.findings()).isEmpty();
    assertThat(without.trace()).isEmpty();
    assertThat(without.outcome().exitCode()).isZero();
  }

  @Test
  void nothingShouldGetLostWhereCachesSurvive() {
    Report report = runWith("missing-flush", "domain=eadr");

    assertThat(kinds(report)).contains("REDUNDANT_FLUSH").doesNotContain("NOT_PERSISTED");
    assertThat(report.outcome().exitCode()).isZero();
  }
}
