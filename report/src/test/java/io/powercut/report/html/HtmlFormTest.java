// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.Severity;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class HtmlFormTest {
  private static final Path DIRECTORY = Path.of("/runs/sample");

  private static String html(ReportedRun run) {
    StringWriter out = new StringWriter();
    new HtmlForm().write(run, out);
    return out.toString();
  }

  @Test
  void hostileTextShouldNotBecomeMarkup() {
    String html = html(SampleRuns.hostile(DIRECTORY));
    assertThat(html).doesNotContain("<script>alert", "<img src=x", "--><b>");
    assertThat(html).contains("&lt;script&gt;alert");
    assertThat(html.chars().filter(one -> one < ' ' && one != '\n' && one != '\t')).isEmpty();
  }

  @Test
  void aMegabyteOfTextShouldBeCapped() {
    String html = html(SampleRuns.hostile(DIRECTORY));
    assertThat(html).hasSizeLessThan(200_000).contains("more than fits");
    assertThat(html).containsPattern("[\\d,]+ characters before this are in");
  }

  @Test
  void onlyTheFirstEvidenceShouldBeShownInFullAndTheOthersInALine() {
    List<Evidence> evidence =
        Collections.nCopies(
            8, SampleRuns.pattern(PatternKind.REDUNDANT_FENCE, Severity.PERFORMANCE));
    Finding finding =
        SampleRuns.finding("REDUNDANT_FENCE", Severity.PERFORMANCE, "ffffffffffffffff", evidence);
    String html = html(SampleRuns.with(SampleRuns.nothing(DIRECTORY), List.of(finding)));
    assertThat(html.split("In the trace:", -1)).hasSize(6);
    assertThat(html).contains("3 more pieces of evidence");
    assertThat(html.split("<li>what was seen of REDUNDANT_FENCE", -1)).hasSize(4);
  }

  @Test
  void dataRaceShouldHaveBothAccessesTheObjectAndTheThreads() {
    Finding finding =
        SampleRuns.finding(
            "DATA_RACE", Severity.RACE, "ffffffffffffffff", List.of(SampleRuns.dataRace(true)));
    String html = html(SampleRuns.with(SampleRuns.nothing(DIRECTORY), List.of(finding)));
    assertThat(html)
        .contains("<h4>A data race</h4>")
        .contains("first: write of 8 bytes by thread 2, with global lock_put")
        .contains("second: read of 8 bytes by thread 3, with global lock_get")
        .contains("thread 2 took global lock_put")
        .contains("thread 3 created")
        .contains("found by kard in 2 of 3 runs");
  }

  @Test
  void onlyTheFirstFindingsShouldBeShown() {
    List<Finding> findings = new ArrayList<>();
    for (int number = 0; number < 501; number++) {
      findings.add(
          SampleRuns.finding(
              "REDUNDANT_FENCE",
              Severity.PERFORMANCE,
              "%016x".formatted(number),
              List.of(SampleRuns.pattern(PatternKind.REDUNDANT_FENCE, Severity.PERFORMANCE))));
    }
    String html = html(SampleRuns.with(SampleRuns.nothing(DIRECTORY), findings));
    assertThat(html.split("<article", -1)).hasSize(501);
    assertThat(html).contains("And 1 more finding in");
  }

  @Test
  void crashesBeyondTheFirstInProgramOrderShouldBeSummedUp() {
    assertThat(html(SampleRuns.withFindings(DIRECTORY)))
        .contains("24 beyond program order, 18 recoveries, 1 failing")
        .contains("5 images, recovery crashed 9 times at 3 places");
  }

  @Test
  void everyKindOfVerdictShouldHaveAColour() {
    String style = Inline.read("report.css").text();
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      assertThat(style).contains(".bar." + kind.name().toLowerCase(Locale.ROOT));
    }
    for (Severity severity : Severity.values()) {
      assertThat(style).contains(".badge." + severity.name().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void tenThousandFailurePointsShouldStayBelowTwoMegabytes() {
    assertThat(html(SampleRuns.large(DIRECTORY, 10_000))).hasSizeLessThan(2_000_000);
  }
}
