// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashes in recovery itself: it succeeds after every first crash, and with a second one it may
 * not.
 */
@Tag("campaign")
class RecoveryCrashTest {
  private static final String CAMPAIGN =
      """
      name: undo
      parameters: {habit: correct}
      target: {command: [%1$s, run, "{pm}"]}
      recovery:
        - {name: mount, command: [%1$s, mount, "{pm}"]}
        - {name: recover, command: [%1$s, recover, "{habit}", "{pm}"], timeout: %2$s, inject: true}
        - {name: check, command: [%1$s, check, "{pm}"]}
      crashStates: {enabled: false}
      patterns: {enabled: false}
      """;

  private static final String TABLES =
      """
      name: tables
      parameters: {habit: correct}
      target: {command: [%1$s, run, "{pm}"]}
      recovery:
        - {name: recover, command: [%1$s, recover, "{habit}", "{pm}"], inject: true}
        - {name: check, command: [%1$s, check, "{pm}"]}
      patterns: {enabled: false}
      """;

  private static final String WITH_STATES = "crashStates.enabled=true";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  /** Runs that tests only read. */
  private static final Map<List<String>, Path> KNOWN = new HashMap<>();

  private static CampaignRuns runs;
  private static CampaignRuns hurried;
  private static CampaignRuns tables;

  @BeforeAll
  static void build() {
    Path program = workbench.compile("programs/undo.c");
    runs = runsOf(workbench.write("undo.yaml", CAMPAIGN.formatted(program, "2s")));
    // Under the recorder it has thirty times as long.
    Path many = workbench.compile("programs/tables.c");
    tables =
        new CampaignRuns(
            workbench,
            workbench.write("tables.yaml", TABLES.formatted(many)),
            "tables",
            "parameters.habit",
            List.of());
    hurried = runsOf(workbench.write("hurried.yaml", CAMPAIGN.formatted(program, "100ms")));
  }

  private static CampaignRuns runsOf(Path campaign) {
    return new CampaignRuns(workbench, campaign, "undo", "parameters.habit", List.of());
  }

  private static Path hasty() throws IOException {
    return runs.once(KNOWN, "hasty");
  }

  private static Path correct() throws IOException {
    return runs.once(KNOWN, "correct", "occurrences.first=10");
  }

  private static List<RecoveryCrashVerdicts> log(Path run) throws IOException {
    return RecoveryCrashLog.open(run.resolve("recovery-crashes.jsonl")).all();
  }

  private static List<Tuple> findings(Report report) {
    return report.findings().stream()
        .map(one -> Tuple.tuple(one.fingerprint(), one.title(), one.stack()))
        .toList();
  }

  @Test
  void shouldBeFoundWhereRecoveryForgetsTooEarly() throws IOException {
    Report report = Workbench.report(hasty());

    assertThat(report.verdicts().get("CONSISTENT")).isEqualTo(report.failurePoints().unique());
    assertThat(report.outcome().exitCode()).isEqualTo(1);
    assertThat(report.findings()).hasSize(1);
    Finding finding = report.findings().get(0);
    InjectionEvidence proof = finding.injection().orElseThrow();
    RecoveryCrash cut = proof.recoveryCrash().orElseThrow();
    assertThat(finding.stack()).isEqualTo(cut.stack());
    assertThat(cut.stack())
        .extracting(StackFrame::function)
        .containsExactly("set", "forget", "recover", "main");
    assertThat(cut.step()).isEqualTo("recover");
    assertThat(proof.stack())
        .extracting(StackFrame::function)
        .containsExactly("set", "run", "main");
    assertThat(proof.step()).isEqualTo("check");
    assertThat(proof.output()).contains("the numbers differ");
    assertThat(hasty().resolve(proof.image().orElseThrow()).resolve("numbers")).isRegularFile();
  }

  @Test
  void everyFormOfTheReportShouldTellBothCuts() throws IOException {
    Said said = runs.run("hasty");

    assertThat(said.output())
        .contains("after a crash during recovery, recovery failed")
        .contains("power cut again: in step recover of recovery, in ")
        .contains("before clwb");
    assertThat(Files.readString(runs.latest().resolve("report.html")))
        .contains("It is cut again, in step recover of recovery");
    assertThat(Files.readString(runs.latest().resolve("report.sarif")))
        .contains("power cut again, in recovery, before clwb");
    assertThat(Files.readString(runs.latest().resolve("junit.xml")))
        .contains("undo.second-crash", "power cut again, in recovery, before clwb");
  }

  @Test
  void correctTwinShouldBeClean() throws IOException {
    Report report = Workbench.report(correct());

    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().exitCode()).isZero();
    Report.RecoveryCrashes totals = report.recoveryCrashes().orElseThrow();
    assertThat(totals.images()).isEqualTo(report.images().distinct());
    assertThat(totals.failurePoints()).isEqualTo(2);
    assertThat(totals.recoveries()).isPositive();
    assertThat(totals.failing()).isZero();
  }

  /** What recovery puts back is lost, and its log that says so is not. */
  @ParameterizedTest
  @CsvSource({
    "forgetful, clwb, 'in step recover of recovery, before clwb:'",
    "careless, end-of-run, at the end of step recover of recovery"
  })
  void shouldBeFoundWhereRecoveryForgetsToPersist(String habit, String before, String where)
      throws IOException {
    Report report = runs.report(habit, WITH_STATES, "occurrences.first=10");

    assertThat(report.verdicts().get("CONSISTENT")).isEqualTo(report.images().judged());
    assertThat(report.findings()).hasSize(1);
    Finding finding = report.findings().get(0);
    assertThat(finding.stack())
        .extracting(StackFrame::function)
        .containsExactly("put_back_in_cache", "recover", "main");
    InjectionEvidence proof = finding.injection().orElseThrow();
    RecoveryCrash cut = proof.recoveryCrash().orElseThrow();
    assertThat(cut.instruction()).isEqualTo(before);
    assertThat(proof.state().orElseThrow().lost().get(0).missing())
        .isEqualTo(JudgedState.Missing.FLUSH);
    assertThat(finding.title()).contains("is not flushed");
    assertThat(finding.daxOnly()).isFalse();
    assertThat(proof.output()).contains("the numbers differ");
    assertThat(report.recoveryCrashes().orElseThrow().states()).isPositive();
    Workbench.requireComplete(report);
    try (Stream<Path> images = Files.list(runs.latest().resolve("images"))) {
      assertThat(images).as("images of findings only").hasSize(1);
    }

    assertThat(Files.readString(runs.latest().resolve("report.html")))
        .contains("A crash state in recovery: the store at put_back_in_cache")
        .contains(
            before.equals("clwb")
                ? "It is cut again, in step recover of recovery"
                : "It is cut again, at the end of step recover of recovery");

    Path kept = workbench.directory().resolve("kept-" + habit);
    List<String> command = new ArrayList<>(List.of(proof.replay().split(" ", -1)));
    Said said =
        Workbench.powercut(
            Stream.concat(
                    command.subList(1, command.size()).stream(),
                    Stream.of("--keep", kept.toString()))
                .toArray(String[]::new));

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("power cut again, " + where)
        .contains("lost:", "verdict  unrecoverable");
    assertThat(Files.readAllBytes(kept.resolve("numbers")))
        .isEqualTo(
            Files.readAllBytes(
                runs.latest().resolve(proof.image().orElseThrow()).resolve("numbers")));
    String replayed = Workbench.powercut("replay", runs.latest().toString()).output();
    assertThat(replayed).contains("lost:", "verdict  unrecoverable");
    Said alone =
        Workbench.powercut(
            "replay",
            runs.latest().toString(),
            proof.failurePointId().toString(),
            "--state",
            proof.state().orElseThrow().id());
    assertThat(alone.exitCode()).isEqualTo(2);
    assertThat(alone.errors()).contains("is one of a crash during recovery: add --recovery-crash ");
  }

  /** Helpers that persist are shared by all of them, and by the program itself. */
  @Test
  void eachOfManyMistakesShouldBeOneFinding() throws IOException {
    String[] all = {"occurrences.first=60", "recoveryCrash.images=60"};
    Report correct = tables.report("correct", all);
    assertThat(correct.findings()).isEmpty();
    assertThat(correct.recoveryCrashes().orElseThrow().left()).isZero();

    Report mistaken = tables.report("mistaken", all);

    assertThat(mistaken.findings())
        .extracting(finding -> recoveryOf(finding.stack()))
        .containsExactlyInAnyOrder(
            "one_not_flushed",
            "other_not_flushed",
            "fence_forgotten",
            "log_cleared_first",
            "log_cleared_half_way",
            "copy_not_flushed",
            "fence_before_flush",
            "streamed_without_fence",
            "loop_ends_too_early",
            "other_line_flushed",
            "locked_instead_of_flushed",
            "all_flushed_at_once");
  }

  /** The frame that main calls. */
  private static String recoveryOf(List<StackFrame> stack) {
    return stack.get(stack.size() - 2).function();
  }

  @Test
  void imagesThatAreLeftOutShouldBeOfTheWholeRunAndCounted() throws IOException {
    Said said = tables.run("correct", "occurrences.first=60", "recoveryCrash.images=20");

    assertThat(said.output())
        .contains("not tried", "crashes during recovery on 40 images (recoveryCrash.images)");
    assertThat(
            RecoveryCrashLog.open(tables.latest().resolve("recovery-crashes.jsonl")).all().stream()
                .map(RecoveryCrashVerdicts::occurrence)
                .distinct())
        .as("of the twelve tables")
        .hasSizeGreaterThan(6)
        .anyMatch(occurrence -> occurrence > 9);
  }

  /** A loop is right twice. */
  @Test
  void mistakeOfALaterOccurrenceShouldBeFoundAndReplayed() throws IOException {
    assertThat(runs.report("stepwise", "occurrences.first=10").findings()).isEmpty();

    Report report = runs.report("third", "occurrences.first=10");

    assertThat(report.findings()).hasSize(1);
    InjectionEvidence proof = report.findings().get(0).injection().orElseThrow();
    RecoveryCrash cut = proof.recoveryCrash().orElseThrow();
    assertThat(cut.occurrence()).isEqualTo(3);
    assertThat(cut.stack())
        .extracting(StackFrame::function)
        .containsExactly("set", "put_back_stepwise", "recover", "main");
    assertThat(proof.replay()).endsWith("--recovery-crash " + cut.failurePointId() + "@3");
    Said said =
        replay(runs.latest(), proof, cut.failurePointId().toString().substring(0, 6) + "@3");
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("in step recover of recovery, before clwb at occurrence 3:")
        .contains("verdict  unrecoverable");
  }

  @Test
  void rangesThatRecoveryItselfIgnoresShouldNotBeLost() throws IOException {
    assertThat(runs.report("excused", WITH_STATES, "occurrences.first=10").findings()).isEmpty();
  }

  /** The target's own states need none of them: nothing is in flight that may be lost alone. */
  @Test
  void statesThatALimitLeavesOutShouldMakeTheRunIncomplete() throws IOException {
    Said said =
        runs.run(
            "correct",
            WITH_STATES,
            "crashStates.limit="
                + runs.report("correct", WITH_STATES).states().orElseThrow().judged());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(Workbench.report(runs.latest()).recoveryCrashes().orElseThrow().uncut())
        .isPositive();
  }

  @Test
  void statesOfCutsShouldBeJudgedIfTheyAreWanted() throws IOException {
    Report correct = runs.report("correct", WITH_STATES, "occurrences.first=10");
    assertThat(correct.findings()).isEmpty();
    assertThat(correct.recoveryCrashes().orElseThrow().states()).isPositive();

    assertThat(runs.report("forgetful", WITH_STATES, "recoveryCrash.crashStates=false").findings())
        .isEmpty();
    assertThat(runs.report("forgetful").findings()).isEmpty();
  }

  @Test
  void mistakeThatProgramOrderShowsShouldBeOneFindingWithStates() throws IOException {
    Report report = runs.report("hasty", WITH_STATES, "occurrences.first=10");

    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().get(0).injection().orElseThrow().state()).isEmpty();
  }

  @Test
  void shouldNotBeLookedForUnlessItIsWanted() throws IOException {
    Said said = runs.run("hasty", "recovery.1.inject=false");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(Workbench.report(runs.latest()).recoveryCrashes()).isEmpty();
    assertThat(runs.latest().resolve("recovery-crashes.jsonl")).doesNotExist();
  }

  /** With up to two numbers to put back it is correct, and the first occurrences have one. */
  @Test
  void shouldBeFoundThoughTheFirstImagesDoNotShowIt() throws IOException {
    assertThat(runs.report("early").findings()).isEmpty();

    assertThat(runs.report("early", "occurrences.first=10").findings())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.injection().orElseThrow().recoveryCrash()).isPresent());
  }

  @Test
  void shouldBeLookedForInTheNamedFunctionsOnly() throws IOException {
    assertThat(runs.report("hasty", "recoveryCrash.within=[put_back]").findings()).isEmpty();
    assertThat(runs.report("hasty", "recoveryCrash.within=[forget]").findings()).hasSize(1);
    Said nowhere = runs.run("hasty", "recoveryCrash.within=[elsewhere]");
    assertThat(nowhere.exitCode()).isZero();
    assertThat(nowhere.output()).contains("no crash during recovery was tried");
  }

  @Test
  void boundedImagesShouldBeOfDifferentFailurePointsAndLeaveTheRunComplete() throws IOException {
    Report report = runs.report("correct", "occurrences.first=10", "recoveryCrash.images=4");

    Workbench.requireComplete(report);
    assertThat(log(runs.latest()))
        .hasSize(4)
        .extracting(RecoveryCrashVerdicts::failurePointId)
        .doesNotHaveDuplicates();
  }

  @Test
  void fewerCutsOfAFailurePointShouldTakeFewerRecoveries() throws IOException {
    long four = Workbench.report(correct()).recoveryCrashes().orElseThrow().recoveries();
    long one =
        runs.report("correct", "occurrences.first=10", "recoveryCrash.perFailurePoint=1")
            .recoveryCrashes()
            .orElseThrow()
            .recoveries();

    assertThat(one).isPositive().isLessThan(four);
  }

  private static Said replay(Path run, InjectionEvidence proof, String second, String... options) {
    List<String> arguments = new ArrayList<>(List.of("replay", run.toString()));
    arguments.addAll(List.of(proof.failurePointId().toString(), "--recovery-crash", second));
    arguments.addAll(List.of(options));
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  @Test
  void replayShouldCutBothAgain() throws IOException {
    InjectionEvidence proof = Workbench.report(hasty()).findings().get(0).injection().orElseThrow();
    String second = proof.recoveryCrash().orElseThrow().failurePointId().toString();
    assertThat(proof.replay())
        .endsWith(proof.failurePointId().toString() + " --recovery-crash " + second);
    Path kept = workbench.directory().resolve("kept");

    Said said = replay(hasty(), proof, second.substring(0, 6), "--keep", kept.toString());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("power cut again, in step recover of recovery", "verdict  unrecoverable");
    assertThat(Files.readAllBytes(kept.resolve("numbers")))
        .isEqualTo(
            Files.readAllBytes(hasty().resolve(proof.image().orElseThrow()).resolve("numbers")));
    assertThat(Workbench.powercut("replay", hasty().toString()).output())
        .contains("power cut again, in step recover of recovery", "verdict  unrecoverable");
  }

  @ParameterizedTest
  @CsvSource({
    "--recovery-crash ffffffffffffffff, 2, no crash during recovery ffffffffffffffff",
    "--recovery-crash 0 --occurrence 1, 2, cannot be combined with --occurrence",
    "--recovery-crash 0 --state ffffffffffffffff, 2, no crash during recovery 0",
    "--second 0 --occurrence 1, 2, cannot be combined with --occurrence",
    "--second 0 --recovery-crash 0, 2, is the former name of --recovery-crash"
  })
  void replayShouldRefuseWhatIsNotThere(String options, int exitCode, String why)
      throws IOException {
    String id = log(hasty()).get(0).failurePointId().toString();
    List<String> arguments = new ArrayList<>(List.of("replay", hasty().toString(), id));
    arguments.addAll(List.of(options.split(" ", -1)));

    Said said = Workbench.powercut(arguments.toArray(String[]::new));

    assertThat(said.exitCode()).isEqualTo(exitCode);
    assertThat(said.errors()).contains(why);
  }

  @Test
  void resumedRunShouldCutTheImagesThatAreLeft() throws IOException {
    Report whole = runs.report("hasty");
    Path run = runs.latest();
    List<String> lines = Files.readAllLines(run.resolve("recovery-crashes.jsonl"));
    assertThat(lines).hasSizeGreaterThan(2);
    // As a kill -9 leaves it: one line whole, the next one cut off.
    Files.writeString(
        run.resolve("recovery-crashes.jsonl"), lines.get(0) + "\n" + lines.get(1).substring(0, 20));

    Said resumed = runs.run("hasty", "--resume");

    assertThat(resumed.exitCode()).as(resumed.errors()).isEqualTo(1);
    assertThat(runs.latest()).isEqualTo(run);
    Report again = Workbench.report(run);
    assertThat(findings(again)).isEqualTo(findings(whole));
    assertThat(again.recoveryCrashes().orElseThrow().images()).isEqualTo(lines.size());
    assertThat(Files.readAllLines(run.resolve("recovery-crashes.jsonl"))).contains(lines.get(0));

    runs.run("hasty", "--resume");

    assertThat(Files.readAllLines(run.resolve("recovery-crashes.jsonl"))).hasSize(lines.size());
  }

  @ParameterizedTest
  @CsvSource({
    "endless, step recover does not end under the recorder within 3 s",
    "refusing, step recover behaves differently under the recorder"
  })
  void recoveryThatCannotBeRecordedShouldBeInconclusive(String habit, String why)
      throws IOException {
    Said said = hurried.run(habit);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output()).contains(why);
    Report report = Workbench.report(hurried.latest());
    assertThat(report.findings()).isEmpty();
    assertThat(report.recoveryCrashes().orElseThrow().judged())
        .as("what was recorded before is judged")
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hasty", "correct"})
  void partsShouldFindTogetherWhatTheWholeFinds(String habit) throws IOException {
    Report whole = runs.report(habit);

    Said said = runs.inParts(habit);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(whole.outcome().exitCode());
    Report merged = Workbench.report(runs.latest());
    assertThat(findings(merged)).isEqualTo(findings(whole));
    assertThat(merged.recoveryCrashes().orElseThrow().images())
        .isEqualTo(whole.recoveryCrashes().orElseThrow().images());
  }
}
