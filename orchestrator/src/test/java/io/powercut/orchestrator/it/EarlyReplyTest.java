// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told before it is done, in the order of the program: the finding names the output. */
@Tag("campaign")
class EarlyReplyTest {
  private static final String CAMPAIGN =
      """
      parameters: {mask: 0}
      target: {command: [%1$s, run, "{mask}", "{pm}"]}
      recovery: {command: [%1$s, check, "{pm}", "{acknowledged}"]}
      patterns: {enabled: false}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;

  @BeforeAll
  static void build() {
    Path program = workbench.compile("programs/early-reply.c");
    campaign = workbench.write("early-reply.yaml", CAMPAIGN.formatted(program));
  }

  private static Report run(int mask) {
    List<String> overrides = List.of("name=mask-" + mask, "parameters.mask=" + mask);
    return workbench.run(workbench.load(campaign, overrides), campaign).report();
  }

  @Test
  void correctProgramShouldHaveNoFinding() {
    assertThat(run(0).findings()).isEmpty();
  }

  /** It is one finding, at however many failure points the image lacks something. */
  @ParameterizedTest
  @CsvSource({"1, put 1, put", "2, removed 1, take"})
  void outputThatComesTooEarlyShouldBeNamed(int mask, String line, String function) {
    Report report = run(mask);

    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().get(0).title())
        .contains('"' + line + "\" is acknowledged before, at " + function, "acknowledge it after");
    assertThat(
            report
                .findings()
                .get(0)
                .injection()
                .orElseThrow()
                .tooEarlyOutput()
                .orElseThrow()
                .stack())
        .extracting(frame -> frame.function())
        .contains("tell", function);
  }

  /** All is stored that it relies on before the next failure point, and may be lost there. */
  @Test
  void outputBeforeTheLastPersistShouldBeSaidOfTheStore() {
    Report report = run(4);

    assertThat(report.findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .contains("pool->puts at put", "do not acknowledge it before it is persisted (verified)");
  }

  /** One helper tells both. */
  @Test
  void outputsOfTwoCallersShouldBeTwoFindings() {
    Report report = run(3);

    assertThat(report.findings())
        .extracting(Finding::title)
        .hasSize(2)
        .anyMatch(title -> title.contains("\"put 1\" is acknowledged before"))
        .anyMatch(title -> title.contains("\"removed 1\" is acknowledged before"));
  }
}
