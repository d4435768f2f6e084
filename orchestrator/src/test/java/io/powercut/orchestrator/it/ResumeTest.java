// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.powercut.campaign.sections.InjectionMode;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that do not come to their end, and what becomes of them. */
@Tag("campaign")
class ResumeTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int FAILURE_POINTS = 10;

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  /**
   * A program with ten failure points. Its recovery takes its time while {@link #slow} is there.
   */
  private Path campaign(InjectionMode injection, String variant) {
    String program = Workbench.home().resolve("workloads/bugs/build/{variant}/one-path").toString();
    return workbench.write(
        "one-path.yaml",
        """
        name: one-path
        parameters: {variant: %s}
        environment: {PM_DIRECTORY: "{pm}"}
        setup: {command: ["%2$s", create, "{pm}"]}
        target: {command: ["%2$s", run, "{pm}"]}
        recovery:
          - {name: pause, command: [sh, -c, 'test ! -e "$0" || sleep 0.2', "%4$s"]}
          - {name: check, command: ["%2$s", check, "{pm}"]}
        injection: %3$s
        limits: {parallel: 1}
        """
            .formatted(variant, program, injection, slow()));
  }

  /** Written where a run needs a middle, and deleted when there is no more use for one. */
  private Path slow() {
    return workbench.directory().resolve("slow");
  }

  private Path run() {
    return workbench.runs().resolve("one-path/latest");
  }

  private List<String> verdictLines() throws IOException {
    Path file = run().resolve("verdicts.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void awaitVerdicts(int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> verdictLines().size() >= count);
  }

  private static List<Tuple> findings(Report report) {
    return report.findings().stream()
        .map(
            (Finding finding) ->
                Tuple.tuple(
                    finding.kind(),
                    finding.fingerprint(),
                    finding.injection().map(InjectionEvidence::failurePointId),
                    finding.count(),
                    finding.stack()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void killedRunShouldBeResumedToTheSameFindingsWithoutRepeatingVerdicts(InjectionMode injection)
      throws Exception {
    Path campaign = campaign(injection, "bug");
    Report whole = workbench.run(workbench.load(campaign, List.of()), campaign).report();

    Files.createFile(slow());
    Process powercut = workbench.startCampaign(campaign);
    awaitVerdictsOf(powercut, 2);
    List<ProcessHandle> children = powercut.descendants().toList();
    powercut.destroyForcibly().waitFor();
    Files.delete(slow());
    List<String> before = verdictLines();

    assertThat(before).hasSizeBetween(2, FAILURE_POINTS - 1);
    await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    await().atMost(PATIENCE).until(() -> workbench.processesLeft().isEmpty());
    assertThat(workbench.filesLeft()).hasSize(1);

    Workbench.Said resumed = workbench.runCampaign(campaign, "--resume");

    assertThat(resumed.exitCode()).as(resumed.errors()).isEqualTo(1);
    assertThat(findings(Workbench.report(run()))).isEqualTo(findings(whole)).isNotEmpty();
    assertThat(Workbench.report(run()).verdicts()).isEqualTo(whole.verdicts());
    assertThat(verdictLines()).startsWith(before.toArray(String[]::new)).hasSize(FAILURE_POINTS);
    assertThat(Workbench.judgements(run())).hasSize(FAILURE_POINTS);
  }

  /** The latest run is that of this process only after it has made its directory. */
  private void awaitVerdictsOf(Process powercut, int count) throws IOException {
    Path earlier = run().toRealPath();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !powercut.isAlive() || !run().toRealPath().equals(earlier));
    awaitVerdicts(count);
  }

  @ParameterizedTest
  @EnumSource
  void interruptedRunShouldSayWhatItKnowsAndLeaveNothingBehind(InjectionMode injection)
      throws Exception {
    Path campaign = campaign(injection, "correct");
    Files.createFile(slow());
    Process powercut = workbench.startCampaign(campaign);
    awaitVerdicts(1);
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    Workbench.Said said = workbench.said(powercut);
    Files.delete(slow());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.errors()).contains("interrupted", "--resume");
    assertThat(said.output()).contains("incomplete");
    assertThat(workbench.processesLeft()).isEmpty();
    assertThat(workbench.filesLeft()).isEmpty();
    Report report = Workbench.report(run());
    assertThat(report.outcome().exitCode()).isEqualTo(4);
    assertThat(report.outcome().complete()).isFalse();

    Workbench.Said resumed = workbench.runCampaign(campaign, "--resume");

    assertThat(resumed.exitCode()).as(resumed.errors()).isZero();
    assertThat(verdictLines()).hasSize(FAILURE_POINTS);
  }

  /** Its report takes as long as someone reads it, so that it is interrupted there. */
  @Test
  void runInterruptedInItsReportShouldCompleteIt() throws Exception {
    Files.createFile(slow());
    Process powercut = workbench.startCampaign(campaign(InjectionMode.RECORDED, "correct"));
    awaitVerdicts(1);
    String written = run().resolve("report.sarif.new").toString();
    new ProcessBuilder("mkfifo", written).start().waitFor();
    Files.delete(slow());
    await().atMost(PATIENCE).until(() -> Files.exists(run().resolve("report.html")));
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    new ProcessBuilder("timeout", "60", "cat", written)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    Workbench.Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.errors()).contains("interrupted after the run; completing its report");
    assertThat(said.output()).contains("nothing new");
    assertThat(run().resolve("junit.xml")).isNotEmptyFile();
  }

  /** What is proved stays proved, whoever ends the run. */
  @Test
  void interruptedRunThatHasFoundABugShouldFail() throws Exception {
    Path campaign = campaign(InjectionMode.RECORDED, "bug");
    Files.createFile(slow());
    Process powercut = workbench.startCampaign(campaign);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> verdictLines().stream().anyMatch(line -> line.contains("UNRECOVERABLE")));
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    Workbench.Said said = workbench.said(powercut);
    Files.delete(slow());

    Report report = Workbench.report(run());
    assertThat(report.outcome().complete()).isFalse();
    assertThat(report.outcome().exitCode()).isEqualTo(1);
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("BUG", "the run is incomplete");
  }

  /** Nothing was judged yet: that is no mistake of the target. */
  @ParameterizedTest
  @ValueSource(strings = {"build", "setup", "target", "recovery"})
  void runInterruptedBeforeInjectionShouldBeIncomplete(String part) throws Exception {
    Path campaign = campaign(InjectionMode.RECORDED, "correct");
    Path started = workbench.directory().resolve("started");
    String sleep = "touch '%s'; sleep 60".formatted(started);
    String step =
        part.equals("recovery")
            ? "recovery=[{command: [sh, -c, \"%s\"]}]"
            : "%2$s.command=[sh, -c, \"%1$s\"]";
    Process powercut = workbench.startCampaign(campaign, "--set", step.formatted(sleep, part));
    await().atMost(PATIENCE).until(() -> Files.exists(started));
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    Workbench.Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.errors()).contains("interrupted");
    assertThat(workbench.processesLeft()).isEmpty();
    assertThat(workbench.filesLeft()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void runWithoutBudgetLeftShouldBeIncompleteAndGoOnWhenResumed(InjectionMode injection)
      throws IOException {
    Path campaign = campaign(injection, "correct");
    String[] budget = {"--set", "limits.images=6"};
    Workbench.Said first = workbench.runCampaign(campaign, budget);

    assertThat(first.exitCode()).as(first.errors()).isEqualTo(4);
    assertThat(first.output()).contains("6 consistent", "incomplete");
    assertThat(verdictLines()).hasSize(6);

    Path setUp = run().resolve("setup.json");
    Files.writeString(setUp, Files.readString(setUp).replaceFirst("file \\d+", "file 1"));
    Workbench.Said second = workbench.runCampaign(campaign, "--set", "limits.images=6", "--resume");

    assertThat(second.exitCode()).as(second.errors()).isZero();
    assertThat(second.errors())
        .containsPattern("set-up gave other files than in the run before, .* bytes instead of 1; ");
    assertThat(second.output()).contains("10 consistent");
    assertThat(verdictLines()).hasSize(FAILURE_POINTS);
  }

  @Test
  void secondResumeOfARunShouldBeRefusedAndSayWhoIsAtWork() throws Exception {
    Path campaign = campaign(InjectionMode.RECORDED, "correct");
    workbench.runCampaign(campaign, "--set", "limits.images=2");
    Files.createFile(slow());
    Process first = workbench.startCampaign(campaign, "--set", "limits.images=2", "--resume");
    awaitVerdicts(3);
    String facts = Files.readString(run().resolve("run.json"));

    Workbench.Said second = workbench.runCampaign(campaign, "--set", "limits.images=2", "--resume");
    assertThat(second.exitCode()).as(second.errors()).isEqualTo(3);
    assertThat(second.errors())
        .contains("is in use by process " + first.pid() + " (", "--resume", "), since 2")
        .doesNotContain("setting up");
    assertThat(run().resolve("failure.txt")).doesNotExist();
    Workbench.Said report = Workbench.powercut("report", run().toString());
    assertThat(report.exitCode()).as("who only reads may").isIn(0, 4);

    Files.delete(slow());
    assertThat(workbench.said(first).exitCode()).isIn(0, 4);
    List<String> lines = verdictLines();
    assertThat(lines).doesNotHaveDuplicates();
    assertThat(Workbench.judgements(run())).hasSize(lines.size());
    assertThat(facts).isNotEmpty();
    Workbench.Said third = workbench.runCampaign(campaign, "--set", "limits.images=2", "--resume");
    assertThat(third.exitCode()).as(third.errors()).isIn(0, 4);
  }

  @Test
  void lockOfAKilledRunShouldBeFree() throws Exception {
    Path campaign = campaign(InjectionMode.RECORDED, "correct");
    Files.createFile(slow());
    Process powercut = workbench.startCampaign(campaign);
    await().atMost(PATIENCE).until(() -> Files.exists(run()));
    awaitVerdicts(1);
    powercut.destroyForcibly().waitFor();
    Files.delete(slow());
    await().atMost(PATIENCE).until(() -> workbench.processesLeft().isEmpty());

    Workbench.Said resumed = workbench.runCampaign(campaign, "--resume");
    assertThat(resumed.exitCode()).as(resumed.errors()).isZero();
  }

  @Test
  void resumingAnotherCampaignShouldBeRefused() throws IOException {
    Path campaign = campaign(InjectionMode.RECORDED, "correct");
    workbench.runCampaign(campaign, "--set", "limits.images=3");
    Workbench.Said said =
        workbench.runCampaign(
            campaign, "--set", "limits.images=3", "--set", "parameters.variant=bug", "--resume");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("has changed", "campaign.yaml", "without --resume");
    assertThat(verdictLines()).hasSize(3);
  }

  @Test
  void resumingWithoutAnyRunShouldBeRefused() {
    Workbench.Said said =
        workbench.runCampaign(campaign(InjectionMode.RECORDED, "correct"), "--resume");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("no run in", "one-path");
  }
}
