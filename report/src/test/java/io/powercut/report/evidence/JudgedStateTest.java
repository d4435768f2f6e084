// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.ReportForm;
import io.powercut.report.SampleRuns;
import io.powercut.report.Summary;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.html.HtmlForm;
import io.powercut.report.junit.JunitForm;
import io.powercut.report.sarif.SarifForm;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JudgedStateTest {
  private static final int LOST = 4000;
  private static final int LARGEST_FORM = 300_000;

  /** A state with so many stores to blame as a search leaves that was cut short early. */
  private static JudgedState large() {
    StackFrame frame = new StackFrame("set_used", "/src/map.c", 28, "map_workload", "0x101c");
    JudgedState.Store store =
        new JudgedState.Store(
            new ImageStore("pool", 0x40, 8, "0100000000000000", List.of(frame)),
            1,
            JudgedState.Missing.FLUSH,
            JudgedState.Role.CAUSE,
            "");
    return new JudgedState(
        "0123456789abcdef",
        "guaranteed",
        "fedcba9876543210",
        List.of(),
        Collections.nCopies(LOST, store),
        List.of(store),
        false,
        Optional.empty(),
        "not flushed",
        Optional.empty(),
        false,
        false,
        0,
        Set.of(),
        Optional.empty(),
        List.of());
  }

  private static ReportedRun run() {
    CallStack stack = CallStack.of(Frame.of("map_workload", 0x1012, "insert", "/src/map.c", 12));
    Judgement judgement =
        new Judgement(
            stack.id(),
            1,
            0,
            Verdict.Kind.HUNG,
            "recovery hung",
            "check",
            "",
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(large()),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty());
    Finding finding =
        SampleRuns.finding(
            "HUNG",
            Severity.BUG,
            "fedcba9876543210",
            List.of(SampleRuns.injection(stack, "clwb", judgement)));
    return SampleRuns.with(SampleRuns.nothing(Path.of("/runs/sample")), List.of(finding));
  }

  @Test
  void formerNameOfAPolicyShouldBecomeThePresentOne() {
    assertThat(large().policy()).isEqualTo("persisted-only");
    assertThat(PolicyName.of("one-line-early")).isEqualTo("early-eviction");
    assertThat(PolicyName.of("sampled")).isEqualTo("sampled");
  }

  @Test
  void onlyTheFirstStoresShouldBeShown() {
    assertThat(large().shown().lost()).hasSize(5);
    assertThat(large().shown().arrived()).hasSize(1);
    assertThat(large().shown().more()).isEqualTo(LOST - 5);
  }

  @Test
  void theSummaryShouldStaySmall() {
    assertThat(Summary.of(run().report(), "report.html"))
        .hasSizeLessThan(60)
        .anyMatch(line -> line.contains(", and %d more (not all".formatted(LOST - 1)));
  }

  @Test
  void formsShouldStaySmall() throws IOException {
    for (ReportForm form : List.of(new HtmlForm(), new JunitForm(), new SarifForm())) {
      StringWriter out = new StringWriter();
      form.write(run(), out);
      assertThat(out.toString()).hasSizeLessThan(LARGEST_FORM);
    }
  }
}
