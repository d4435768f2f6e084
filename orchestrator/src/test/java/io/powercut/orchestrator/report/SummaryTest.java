package io.powercut.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void whatTargetsPrintShouldNotCommandTheTerminal() {
    Report hostile = SampleRuns.hostile(Path.of("/runs/sample")).report();
    assertThat(hostile.findings().toString()).contains("\u001b");

    assertThat(String.join("", Summary.of(hostile, "report.html")))
        .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e]");
  }

  @Test
  void whatWasSeenOnceShouldNotBeManyTimes() {
    TraceEvidence fence =
        new TraceEvidence(
            "REDUNDANT_FENCE",
            Severity.PERFORMANCE,
            "nothing waited for it",
            List.of(
                new TraceEvidence.Place(
                    "fence",
                    "sfence",
                    List.of(new StackFrame("drain", "/src/pm.h", 9, "app", "0x10")))),
            1,
            Optional.empty(),
            "pool",
            64);
    Finding once =
        SampleRuns.finding(
            "REDUNDANT_FENCE", Severity.PERFORMANCE, "0123456789abcdef", List.of(fence));
    Report report =
        SampleRuns.with(SampleRuns.nothing(Path.of("/runs/sample")), List.of(once)).report();

    assertThat(Summary.of(report, "report.html"))
        .anyMatch(line -> line.startsWith("  performance redundant fence, 1 time, at "));
  }
}
