// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The target says by {@code powercut.h} what becomes of bytes. */
@Tag("campaign")
class DeclaredRangesTest {
  private static final String CAMPAIGN =
      """
      parameters: {case: beside, habit: correct}
      target: {command: [%1$s, run, "{case}", "{habit}", "{pm}"]}
      recovery: {command: [%1$s, check, "{case}", "{pm}"]}
      crashStates: {enabled: true}
      """;

  private static final String COMPARED =
      """
      parameters: {says: ignore, habit: correct}
      setup: {command: [%1$s, set-up, "{pm}"]}
      target: {command: [%1$s, run, "{says}", "{pm}"]}
      recovery: {command: [%1$s, recover, "{habit}", "{pm}"]}
      dump: {command: [%1$s, dump, "{pm}"]}
      patterns: {enabled: false}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;
  private static Path compared;

  @BeforeAll
  static void build() {
    campaign =
        workbench.write("ranges.yaml", CAMPAIGN.formatted(workbench.compile("programs/ranges.c")));
    compared =
        workbench.write("hits.yaml", COMPARED.formatted(workbench.compile("programs/hits.c")));
  }

  private static Report run(String what, String habit) {
    Campaign loaded =
        workbench.load(
            campaign,
            List.of(
                "name=" + what + "-" + habit,
                "parameters.case=" + what,
                "parameters.habit=" + habit));
    return workbench.run(loaded, campaign).report();
  }

  /** Without the calls, each of them has warnings, one of them races. */
  @ParameterizedTest
  @ValueSource(
      strings = {"beside", "late", "remapped", "straddling", "transient", "reused", "again"})
  void shouldHaveNothingToSayOfACorrectProgram(String what) {
    Report report = run(what, "correct");

    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "beside, store_value",
    "late, store_value",
    "remapped, store_value",
    "straddling, store_pair",
    "reused, reused",
    "again, store_value"
  })
  void shouldFindAStoreBesideThatIsNotFlushed(String what, String function) {
    Report report = run(what, "mistake");

    Finding bug = report.findings().get(0);
    assertThat(bug.title()).contains(" at " + function + " ").contains("is not flushed");
    assertThat(report.findings())
        .extracting(Finding::title)
        .filteredOn(title -> title.contains(" at work "))
        .isEmpty();
    assertThat(report.outcome().exitCode()).isOne();
  }

  /** A range outside persistent memory; others of that program are in it. */
  @Test
  void shouldNameADeclarationWithoutEffect() {
    Workbench.Said said = workbench.runCampaign(campaign, "--set", "parameters.case=again");

    assertThat(said.errors().lines().filter(line -> line.contains("powercut.h declares")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("again at ")
        .contains("ranges.c:")
        .contains("declare it behind mmap");
  }

  @Test
  void shouldFindThatRecoveryNeedsWhatIsTransient() {
    Report report = run("transient", "mistake");

    assertThat(report.findings())
        .singleElement()
        .satisfies(bug -> assertThat(bug.title()).contains("pool->newest at store_newest"));
  }

  private static Report compare(String says, String habit) {
    Campaign loaded =
        workbench.load(
            compared,
            List.of(
                "name=" + says + "-" + habit,
                "parameters.says=" + says,
                "parameters.habit=" + habit));
    return workbench.run(loaded, compared).report();
  }

  @Test
  void shouldNotCompareIgnoredBytesOfDumps() {
    Report report = compare("ignore", "correct");

    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().exitCode()).isZero();
    Workbench.requireComplete(report);
  }

  /** The counter is at other values in between, and not in the difference that is shown. */
  @Test
  void shouldCompareAllOtherBytesOfDumps() {
    Report report = compare("ignore", "halves");

    assertThat(report.findings())
        .isNotEmpty()
        .allSatisfy(
            bug ->
                assertThat(bug.injection())
                    .hasValueSatisfying(
                        proof -> {
                          assertThat(proof.step()).isEqualTo("dump");
                          assertThat(proof.seen()).contains("lines missing: 1, lines too many: 1");
                          assertThat(proof.output())
                              .doesNotContain("-hits")
                              .doesNotContain("+hits");
                        }));
    assertThat(report.outcome().exitCode()).isOne();
  }

  /** A reader of the dump needs what it prints. */
  @ParameterizedTest
  @ValueSource(strings = {"nothing", "transient"})
  void shouldCompareBytesOfDumpsThatAreNotIgnored(String says) {
    assertThat(
            compare(says, "correct").findings().stream()
                .flatMap(one -> one.injection().stream())
                .toList())
        .isNotEmpty()
        .allSatisfy(proof -> assertThat(proof.output()).contains("-hits").contains("+hits"));
  }

  @Test
  void replayShouldNotCompareIgnoredBytesEither() {
    Finding bug = compare("ignore", "halves").findings().get(0);
    Path run = workbench.runs().resolve("ignore-halves/latest");

    Workbench.Said said =
        Workbench.powercut(
            "replay", run.toString(), bug.injection().orElseThrow().failurePointId().toString());

    assertThat(said.exitCode()).as(said.errors()).isOne();
    assertThat(said.output())
        .contains("lines missing: 1, lines too many: 1")
        .doesNotContain("-hits");
  }
}
