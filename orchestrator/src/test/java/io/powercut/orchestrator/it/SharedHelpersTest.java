// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.FunctionName;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes of several callers that show in one function, and mistakes of that function. */
@Tag("campaign")
class SharedHelpersTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns callers;
  private static CampaignRuns helpers;

  @BeforeAll
  static void compile() {
    callers = runsOf("callers", workbench.compile("programs/callers.c"));
    helpers = runsOf("helpers", workbench.compile("programs/helpers.c"));
  }

  private static CampaignRuns runsOf(String name, Path program) {
    Path campaign =
        workbench.write(
            name + ".yaml",
            """
            name: %1$s
            parameters: {habit: correct}
            target: {command: [%2$s, run, "{habit}", "{pm}"]}
            recovery:
              - {name: recover, command: [%2$s, recover, "{habit}", "{pm}"], inject: true}
            patterns: {enabled: false}
            """
                .formatted(name, program));
    return new CampaignRuns(workbench, campaign, name, "parameters.habit", List.of());
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
    assertThatEachIsFound(callers.report("mistaken"));
  }

  /** Valgrind cannot read which functions were inlined there. */
  @ParameterizedTest
  @ValueSource(strings = {"-gsplit-dwarf", "-flto"})
  void eachCallerThatIsWrongShouldBeAFindingWhereItIsInlined(String option) throws Exception {
    String name = "callers" + option;
    Path program = workbench.compile("programs/callers.c", option, List.of("-O2", option));

    assertThatEachIsFound(runsOf(name, program).report("mistaken"));
  }

  private static void assertThatEachIsFound(Report report) {
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
  void mistakeOfAHelperShouldBeOneFindingWhoeverCallsIt() throws Exception {
    Report report = helpers.report("mistaken");

    assertThat(report.findings())
        .extracting(
            finding ->
                finding.stack().stream()
                    .map(StackFrame::function)
                    .filter(name -> name.matches("save|append|keep"))
                    .findFirst()
                    .orElse(""))
        .containsExactlyInAnyOrder("save", "append", "keep");
  }

  /** The helper synchronises what it writes, so it is the order of its calls that is wrong. */
  @Test
  void eachCallerThatWritesInTheWrongOrderShouldBeAFinding() throws Exception {
    Path program = workbench.compile("programs/synced-writes.c");
    CampaignRuns writes =
        new CampaignRuns(
            workbench,
            workbench.write(
                "synced-writes.yaml",
                """
                name: synced-writes
                parameters: {habit: correct}
                setup: {command: [%1$s, create, "{habit}", "{pm}"]}
                target: {command: [%1$s, run, "{habit}", "{pm}"]}
                recovery: {command: [%1$s, check, "{habit}", "{pm}"]}
                """
                    .formatted(program)),
            "synced-writes",
            "parameters.habit",
            List.of());

    assertThat(writes.report("mistaken").findings())
        .extracting(finding -> finding.title().replaceAll(" at \\S*/synced-writes\\.c:\\d+", ""))
        .extracting(title -> title.replaceFirst(".*; the image has ", ""))
        .containsExactlyInAnyOrder(
            wrongOrderIn("push"), wrongOrderIn("name"), wrongOrderIn("both"));
    assertThat(writes.report("correct").findings()).isEmpty();
  }

  private static String wrongOrderIn(String caller) {
    return ("the store by set_sync at %1$s and lacks the store by set_sync at %1$s, which comes later:"
            + " store and persist the later one first")
        .formatted(caller);
  }

  /** What belongs into one transaction is said by who calls the wrapper. */
  @Test
  void eachCallerOfAWrapperOfTransactionsShouldBeAFinding() throws Exception {
    CampaignRuns wrappers = wrappers();
    List<Finding> findings = wrappers.report("mistaken").findings();

    assertThat(findings)
        .extracting(
            finding ->
                finding.stack().stream()
                    .map(frame -> FunctionName.of(frame.function()).simple())
                    .filter(name -> name.contains("_early"))
                    .findFirst()
                    .orElse(""))
        .containsExactlyInAnyOrder(
            "run_early",
            "run_early_too",
            "guard_early",
            "guard_early_too",
            "bracket_early",
            "bracket_early_too",
            "call_early",
            "call_early_too",
            "unlogged_early");
    assertThat(findings)
        .filteredOn(finding -> finding.title().contains("unlogged_early"))
        .singleElement()
        .extracting(Finding::title, InstanceOfAssertFactories.STRING)
        .endsWith(
            ": the last of these ends a transaction; add the bytes of the store that came too early"
                + " to its log first");
    assertThat(wrappers.report("correct").findings()).isEmpty();
  }

  private static CampaignRuns wrappers() {
    Path program =
        workbench.compile(
            "programs/wrappers.cc", "", List.of("-O1", "-Wl,--no-as-needed", "-lpmemobj"));
    Path campaign =
        workbench.write(
            "wrappers.yaml",
            """
            name: wrappers
            parameters: {habit: correct}
            setup: {command: [%1$s, create, "{habit}", "{pm}/pool"]}
            target: {command: [%1$s, run, "{habit}", "{pm}/pool"]}
            recovery: {command: [%1$s, check, "{habit}", "{pm}/pool"]}
            environment: {PMEM_IS_PMEM_FORCE: "1"}
            patterns: {enabled: false}
            """
                .formatted(program));
    return new CampaignRuns(workbench, campaign, "wrappers", "parameters.habit", List.of());
  }

  @Test
  void correctOnesShouldHaveNoFinding() throws Exception {
    assertThat(callers.report("correct").findings()).isEmpty();
    assertThat(helpers.report("correct").findings()).isEmpty();
  }
}
