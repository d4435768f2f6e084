package io.powercut.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void whatTargetsPrintShouldNotCommandTheTerminal() {
    Report hostile = SampleRuns.hostile(Path.of("/runs/sample")).report();
    assertThat(hostile.findings().toString()).contains("\u001b");

    assertThat(String.join("", Summary.of(hostile, "report.html")))
        .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e]");
  }
}
