// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the target told the world must be there when the power comes back. */
@Tag("campaign")
class AcknowledgedTest {
  private static final String CAMPAIGN =
      """
      parameters: {habit: correct, out: 1}
      target: {command: [%1$s, run, "{habit}", "{pm}", "{out}"]}
      recovery: {command: [%1$s, check, "{pm}", "{acknowledged}"]}
      patterns: {enabled: false}
      """;

  private static final String ANSWERS =
      """
      parameters: {habit: correct}
      target: {command: [%1$s, run, "{habit}", "{pm}"]}
      recovery: {command: [%1$s, check, "{pm}", "{acknowledged}"]}
      patterns: {enabled: false}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;
  private static Path program;

  @BeforeAll
  static void build() {
    program = workbench.compile("programs/ledger.c");
    campaign = workbench.write("ledger.yaml", CAMPAIGN.formatted(program));
  }

  private static Report run(String... overrides) {
    Campaign loaded = workbench.load(campaign, List.of(overrides));
    return workbench.run(loaded, campaign).report();
  }

  /** Recovery that looks at the files alone. */
  private static String unaware() {
    return "recovery.command=[%s, check, \"{pm}\"]".formatted(program);
  }

  private static List<InjectionEvidence> bugs(Report report) {
    return report.findings().stream().flatMap(one -> one.injection().stream()).toList();
  }

  /** Between flush and fence nothing is stored, but something is acknowledged. */
  @Test
  void shouldFindWhatIsAcknowledgedBeforeTheFence() {
    Report report = run("name=unfenced", "parameters.habit=unfenced", "crashStates.enabled=true");

    Finding finding = report.findings().get(0);
    assertThat(finding.title()).contains("count_unfenced");
    InjectionEvidence bug = finding.injection().orElseThrow();
    assertThat(bug.output()).contains("1 were acknowledged, 0 are there");
    assertThat(bug.state().orElseThrow().lost())
        .extracting(JudgedState.Store::missing)
        .containsExactly(JudgedState.Missing.FENCE);
    Report reExecuted =
        run("name=unfenced-re", "parameters.habit=unfenced", "injection=re-executed");
    assertThat(reExecuted.failurePoints()).isEqualTo(report.failurePoints());
  }

  /**
   * A fence before the flush persists nothing, and it matters not which thread says "done". The
   * program before the store is right, as it had said nothing then: so the advice is tested.
   */
  @ParameterizedTest
  @ValueSource(strings = {"locked", "late"})
  void shouldFindWhatIsAcknowledgedBeforeTheFlush(String habit) {
    Path answers = workbench.compile("programs/answers.c");
    Path file = workbench.write("answers.yaml", ANSWERS.formatted(answers));
    Report report = runAnswers(file, "name=" + habit, "parameters.habit=" + habit);

    assertThat(report.findings()).hasSize(1);
    Finding finding = report.findings().get(0);
    assertThat(finding.title()).contains("count_" + habit);
    assertThat(finding.injection().orElseThrow().state().orElseThrow().advice()).isPresent();
    Report reExecuted =
        runAnswers(
            file, "name=" + habit + "-re", "parameters.habit=" + habit, "injection=re-executed");
    assertThat(reExecuted.failurePoints()).isEqualTo(report.failurePoints());
    assertThat(runAnswers(file, "name=" + habit + "-correct").findings()).isEmpty();
  }

  private static Report runAnswers(Path file, String... overrides) {
    return workbench.run(workbench.load(file, List.of(overrides)), file).report();
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorded", "re-executed"})
  void shouldFindWhatIsToldBeforeItIsThere(String injection) throws IOException {
    Report report =
        run("name=early-" + injection, "parameters.habit=early", "injection=" + injection);

    InjectionEvidence bug = bugs(report).get(0);
    assertThat(bug.output()).contains("1 were acknowledged, 0 are there");
    assertThatFirstEntryWasSaid(bug);
    assertThat(bug.title().contains("\"entry 1\" is acknowledged before, at"))
        .isEqualTo(injection.equals("recorded"));
    Path image =
        workbench
            .runs()
            .resolve("early-" + injection + "/latest")
            .resolve(bug.image().orElseThrow());
    assertThat(image.resolveSibling("acknowledged")).hasContent("entry 1\n");
  }

  private static void assertThatFirstEntryWasSaid(InjectionEvidence bug) {
    AcknowledgedOutput said = bug.acknowledged().orElseThrow();
    assertThat(said.bytes()).isEqualTo(8);
    assertThat(said.lines()).isOne();
    assertThat(said.lastLine()).isEqualTo("entry 1");
  }

  /** The program prints nothing: it says so by {@code powercut.h}. */
  @ParameterizedTest
  @ValueSource(strings = {"recorded", "re-executed"})
  void shouldFindWhatIsAcknowledgedWithoutPrinting(String injection) {
    Report early =
        run("name=said", "parameters.out=0", "parameters.habit=early", "injection=" + injection);
    Report correct = run("name=said-correct", "parameters.out=0", "injection=" + injection);

    assertThatFirstEntryWasSaid(bugs(early).get(0));
    assertThat(correct.findings()).isEmpty();
  }

  @Test
  void shouldFindWhatIsSaidBeforeTheFence() {
    Report report =
        run(
            "name=said-unfenced",
            "parameters.out=0",
            "parameters.habit=unfenced",
            "crashStates.enabled=true");

    assertThat(report.findings().get(0).title()).contains("count_unfenced");
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorded", "re-executed"})
  void shouldNotFindItWhenRecoveryDoesNotAsk(String injection) {
    assertThat(
            run("name=blind", "parameters.habit=early", "injection=" + injection, unaware())
                .findings())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"recorded, 1, 0", "recorded, 3, 2", "re-executed, 1, 0"})
  void shouldFindTheCorrectProgramConsistentWithWhatItTold(String injection, int first, int last) {
    Report report =
        run(
            "name=correct",
            "injection=" + injection,
            "occurrences.first=" + first,
            "occurrences.last=" + last);

    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().exitCode()).isZero();
  }

  @Test
  void shouldJudgeEqualImagesAnewWhenMoreWasTold() {
    Report report = run("name=ahead", "parameters.habit=ahead", "crashStates.enabled=false");

    assertThat(bugs(report))
        .extracting(InjectionEvidence::output)
        .containsExactly("2 were acknowledged, 1 are there\n");
  }

  @Test
  void shouldFindWhatIsToldAndNeverFlushed() {
    Report report = run("name=unflushed", "parameters.habit=unflushed");

    InjectionEvidence bug = bugs(report).get(0);
    assertThat(bug.state()).isPresent();
    assertThat(bug.output()).contains("were acknowledged, ");
    assertThat(bug.acknowledged()).isPresent();
    assertThat(run("name=unflushed-blind", "parameters.habit=unflushed", unaware()).findings())
        .isEmpty();
  }

  @Test
  void shouldTellOfTheOutputsThatAreAskedFor() {
    Path file = workbench.directory().resolve("told");
    for (String output : List.of("stderr", "files")) {
      String out = output.equals("stderr") ? "2" : file.toString();
      assertThat(
              run("name=" + output, "acknowledged=[" + output + "]", "parameters.out=" + out)
                  .findings())
          .isEmpty();
      assertThat(
              bugs(
                  run(
                      "name=" + output,
                      "acknowledged=[" + output + "]",
                      "parameters.out=" + out,
                      "parameters.habit=early")))
          .isNotEmpty();
    }
  }

  private static CampaignRuns runs(String name, String injection, int last, String... more) {
    List<String> always = new ArrayList<>(List.of(more));
    always.addAll(List.of("name=" + name, "injection=" + injection, "occurrences.last=" + last));
    return new CampaignRuns(workbench, campaign, name, "parameters.habit", always);
  }

  @ParameterizedTest
  @CsvSource({"recorded, 2, early", "recorded, 2, unflushed", "re-executed, 0, ahead"})
  void killedRunShouldBeResumedToTheSameFindings(String injection, int last, String habit)
      throws Exception {
    // While this file is there recovery takes its time, so that there is a middle to be killed in.
    Path slow = workbench.write("slow", "");
    CampaignRuns runs =
        runs(
            "killed-" + injection + "-" + habit,
            injection,
            last,
            "limits.parallel=1",
            "recovery=[{name: pause, command: [sh, -c, 'test ! -e %s || sleep 0.2']},"
                    .formatted(slow)
                + " {name: check, command: [%s, check, '{pm}', '{acknowledged}']}]"
                    .formatted(program));
    Path killed = runs.killedAfterVerdicts(1, habit);
    Files.delete(slow);
    List<String> before = Files.readAllLines(killed.resolve("verdicts.jsonl"));

    Report resumed = runs.report(habit, "--resume");

    assertThat(runs.latest()).isEqualTo(killed);
    assertThat(Files.readAllLines(killed.resolve("verdicts.jsonl")))
        .startsWith(before.toArray(String[]::new))
        .hasSizeGreaterThan(before.size());
    Report whole = runs.report(habit);
    assertThat(verdicts(killed)).isEqualTo(verdicts(runs.latest()));
    assertSameFindings(killed, resumed, runs.latest(), whole);
  }

  @ParameterizedTest
  @CsvSource({"recorded, 2, ahead", "recorded, 2, unflushed", "re-executed, 0, ahead"})
  void partsShouldFindTogetherWhatTheWholeFinds(String injection, int last, String habit)
      throws IOException {
    CampaignRuns runs = runs("parts-" + injection + "-" + habit, injection, last);
    Report whole = runs.report(habit);
    Path directory = runs.latest();

    Workbench.Said said = runs.inParts(habit);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Report merged = Workbench.report(runs.latest());
    assertThat(verdicts(runs.latest())).containsExactlyInAnyOrderElementsOf(verdicts(directory));
    assertSameFindings(runs.latest(), merged, directory, whole);
  }

  private static List<Tuple> verdicts(Path run) {
    return Workbench.judgements(run).stream()
        .map(
            (Judgement one) ->
                Tuple.tuple(
                    one.failurePointId().toString(),
                    one.occurrence(),
                    one.kind(),
                    one.seen(),
                    one.acknowledged()))
        .toList();
  }

  private static void assertSameFindings(Path run, Report report, Path other, Report expected)
      throws IOException {
    assertThat(findings(run, report)).isEqualTo(findings(other, expected)).isNotEmpty();
    assertThat(report.verdicts()).isEqualTo(expected.verdicts());
    assertThat(report.states().map(Report.States::judged))
        .isEqualTo(expected.states().map(Report.States::judged));
    assertThat(report.states().map(Report.States::failing))
        .isEqualTo(expected.states().map(Report.States::failing));
    assertThat(report.outcome()).isEqualTo(expected.outcome());
  }

  private static List<Tuple> findings(Path run, Report report) throws IOException {
    List<Tuple> findings = new ArrayList<>();
    for (Finding finding : report.findings()) {
      InjectionEvidence bug = finding.injection().orElseThrow();
      Path image = run.resolve(bug.image().orElseThrow());
      findings.add(
          Tuple.tuple(
              finding.fingerprint(),
              finding.title(),
              finding.count(),
              finding.stack(),
              bug.failurePointId().toString(),
              bug.occurrence(),
              bug.output(),
              bug.acknowledged().orElseThrow(),
              Files.readString(image.resolveSibling("acknowledged"))));
    }
    return findings;
  }

  @Test
  void shouldKeepTheFileOfAReplayBesideTheImage() throws IOException {
    run("name=replayed", "parameters.habit=early");
    Path directory = workbench.runs().resolve("replayed/latest");
    InjectionEvidence bug = bugs(Workbench.report(directory)).get(0);

    Workbench.Said said =
        Workbench.powercut("replay", directory.toString(), bug.failurePointId().toString());

    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.output()).contains("recovery said: 1 were acknowledged, 0 are there");
    Path file = directory.resolve("replay/" + bug.failurePointId().toString() + ".acknowledged");
    assertThat(said.errors() + said.output())
        .contains("1 line: \"entry 1\"")
        .contains(file.getFileName().toString());
    assertThat(Files.readString(file)).isEqualTo("entry 1\n");
  }

  @Test
  void shouldReplayAStateBeyondProgramOrderWithWhatWasTold() {
    run("name=beyond", "parameters.habit=unflushed");
    Path directory = workbench.runs().resolve("beyond/latest");

    Workbench.Said said = Workbench.powercut("replay", directory.toString());

    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.output()).contains("were acknowledged, ");
  }

  @Test
  void shouldShowWhatWasToldInTheSummaryAndThePage() throws IOException {
    Workbench.Said said =
        workbench.runCampaign(campaign, "--set", "name=shown", "--set", "parameters.habit=early");

    assertThat(said.output()).contains("acknowledged: 1 line: \"entry 1\"");
    assertThat(Files.readString(workbench.runs().resolve("shown/latest/report.html")))
        .contains("entry 1");
  }
}
