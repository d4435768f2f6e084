// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes of several callers of one function, in which they show. */
@Tag("campaign")
class SharedHelpersTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/callers.c");
    Path campaign =
        workbench.write(
            "callers.yaml",
            """
            name: callers
            parameters: {habit: correct}
            target: {command: [%1$s, run, "{habit}", "{pm}"]}
            recovery:
              - {name: recover, command: [%1$s, recover, "{habit}", "{pm}"], inject: true}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "callers", "parameters.habit", List.of());
  }

  /** The function that called the helper. */
  private static String caller(Finding finding) {
    List<StackFrame> stack =
        finding
            .injection()
            .flatMap(crash -> crash.recoveryCrash().map(RecoveryCrash::stack))
            .orElse(finding.stack());
    return stack.stream()
        .map(StackFrame::function)
        .filter(name -> name.matches("(?:save|append|note|copy|stream|recover)_.*"))
        .findFirst()
        .orElse("");
  }

  @Test
  void eachCallerThatIsWrongShouldBeAFinding() throws Exception {
    Report report = runs.report("mistaken");

    assertThat(report.findings())
        .extracting(SharedHelpersTest::caller)
        .containsExactlyInAnyOrder(
            "save_early",
            "save_early_too",
            "append_early",
            "append_early_too",
            "copy_unflushed",
            "copy_unflushed_too",
            "stream_unfenced",
            "stream_unfenced_too",
            "note_unflushed",
            "note_unflushed_too",
            "note_by_copy",
            "note_by_copy_too",
            "note_by_call",
            "note_by_call_too",
            "note_and_count",
            "note_and_count_too",
            "recover_left",
            "recover_right");
  }

  @Test
  void correctCallersShouldHaveNoFinding() throws Exception {
    assertThat(runs.report("correct").findings()).isEmpty();
  }
}
