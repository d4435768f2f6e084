// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that work on runs that were made: report, diff, accept; and how runs exit. */
@Tag("campaign")
class ReportCommandsTest {
  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  /** A campaign on a program of the suite, with its baseline beside it. */
  private Path campaign(String program, String more) {
    return campaign(program, Workbench.home() + "/workloads/bugs/build/bug/" + program, more);
  }

  private Path campaign(String name, String path, String more) {
    return workbench.write(
        name + ".yaml",
        """
        name: %1$s
        environment: {PM_DIRECTORY: "{pm}"}
        setup: {command: ["%2$s", create, "{pm}"]}
        target: {command: ["%2$s", run, "{pm}"]}
        recovery: {command: ["%2$s", check, "{pm}"]}
        %3$s
        """
            .formatted(name, path, more));
  }

  private Path baseline() {
    return workbench.directory().resolve("powercut-baseline.yaml");
  }

  private Path latest(String campaign) throws IOException {
    return workbench.runs().resolve(campaign).resolve("latest").toRealPath();
  }

  private Report report(String campaign) throws IOException {
    return Workbench.report(latest(campaign));
  }

  private static List<Finding> failing(Report report) {
    return report.findings().stream().filter(Finding::fails).toList();
  }

  private Said accept(String fingerprint, String reason) {
    return Workbench.powercut(
        "accept", fingerprint, "--reason", reason, "--runs", workbench.runs().toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "one-path | | 1",
        "one-path | failOn: [] | 0",
        "one-path | failOn: [performance] | 0",
        "redundant-flush | | 0",
        "redundant-flush | failOn: [bug] | 0",
        "redundant-flush | failOn: [performance] | 1",
        "redundant-flush | failOn: [redundant-flush] | 1",
        "redundant-flush | failOn: [redundant-fence] | 0",
        "dirty-overwrite | failOn: [bug] | 0",
        "dirty-overwrite | failOn: [bug, dirty-overwrite] | 1",
        "dirty-overwrite | failOn: [warning] | 1",
        "dirty-overwrite | 'failOn: [dirty-overwrite]\npatterns: {warnings: false}' | 0",
        "redundant-flush | 'failOn: [performance]\npatterns: {enabled: false}' | 0"
      })
  void runShouldExitAsItsFailOnSays(String program, String keys, int exitCode) {
    Said said = workbench.runCampaign(campaign(program, keys == null ? "" : keys));

    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(exitCode);
  }

  @Test
  void acceptedFindingShouldNotFailTheRunAndOneBesideItShould() throws IOException {
    Path campaign = campaign("missing-fence", "failOn: [bug, warning, performance]");
    workbench.runCampaign(campaign);
    List<Finding> findings = failing(report("missing-fence"));
    assertThat(findings).hasSizeGreaterThan(1);

    for (Finding finding : findings.subList(1, findings.size())) {
      assertThat(accept(finding.fingerprint(), "we know").exitCode()).isZero();
    }
    Said oneLeft = workbench.runCampaign(campaign);

    assertThat(oneLeft.exitCode()).as(oneLeft.output()).isEqualTo(1);
    assertThat(failing(report("missing-fence")))
        .extracting(Finding::fingerprint)
        .containsExactly(findings.get(0).fingerprint());

    accept(findings.get(0).fingerprint(), "we know");
    Said noneLeft = workbench.runCampaign(campaign);

    assertThat(noneLeft.exitCode()).as(noneLeft.output()).isZero();
    assertThat(report("missing-fence").findings())
        .extracting(Finding::fingerprint)
        .containsAll(findings.stream().map(Finding::fingerprint).toList());
    assertThat(noneLeft.output()).contains("accepted bug", findings.size() + " of them accepted");
  }

  @Test
  void reportShouldBeWrittenAgainWithTheBaselineAsItIsNow() throws IOException {
    workbench.runCampaign(campaign("one-path", ""));
    Path run = latest("one-path");
    String fingerprint = failing(report("one-path")).get(0).fingerprint();
    for (String form : List.of("report.json", "report.sarif", "junit.xml")) {
      assertThat(run.resolve(form)).isNotEmptyFile();
      Files.delete(run.resolve(form));
    }

    Said before = Workbench.powercut("report", run.toString());
    Said accepted = accept(fingerprint, "rebuilt at start");
    Said after = Workbench.powercut("report", run.toString());

    assertThat(before.exitCode()).as(before.errors()).isEqualTo(1);
    assertThat(before.output()).contains("BUG unrecoverable", run.toString());
    assertThat(accepted.exitCode()).as(accepted.errors()).isZero();
    assertThat(accepted.output()).contains(fingerprint, baseline() + ": commit this file");
    assertThat(after.exitCode()).as(after.output()).isZero();
    assertThat(Files.readString(run.resolve("report.json"))).contains("rebuilt at start");
    assertThat(Files.readString(run.resolve("report.sarif"))).contains("rebuilt at start");
    assertThat(Files.readString(run.resolve("junit.xml"))).contains("rebuilt at start");
  }

  @Test
  void findingToAcceptShouldBeNamedWithoutDoubt() throws IOException {
    workbench.runCampaign(campaign("missing-fence", ""));
    List<Finding> findings = report("missing-fence").findings();
    assertThat(findings).hasSizeGreaterThan(1);
    String fingerprint = findings.get(0).fingerprint();

    refused(accept("ffffffffffffffff", "why"), "no finding ffffffffffffffff", "latest runs below");
    refused(accept("", "why"), "more than one finding", fingerprint);
    refused(accept(fingerprint, "  "), "--reason is empty");
    assertThat(Workbench.powercut("accept", fingerprint).exitCode()).isEqualTo(2);
    assertThat(baseline()).doesNotExist();

    assertThat(accept(fingerprint.substring(0, 12), "why").exitCode()).isZero();
    refused(accept(fingerprint, "once more"), "is already accepted in " + baseline(), "why");
    refused(
        Workbench.powercut("accept", fingerprint, "--reason", "x", "--runs", "/nowhere"),
        "no runs in /nowhere");
    assertThat(Files.readString(baseline())).doesNotContain("once more");
  }

  /** As the summary asks for. */
  @Test
  void findingThatAnEarlierVersionAcceptedShouldBeAcceptedAgain() throws IOException {
    workbench.runCampaign(campaign("missing-fence", ""));
    Finding finding = report("missing-fence").findings().get(0);
    String former = finding.formerFingerprints().get(0);
    Files.writeString(
        baseline(),
        "- fingerprint: \"%s\"\n  campaign: missing-fence\n  reason: old\n  date: 2026-10-01\n"
            .formatted(former));

    Said accepted = accept(finding.fingerprint(), "looked at again");
    assertThat(accepted.exitCode()).as(accepted.errors()).isZero();
    assertThat(accepted.output()).contains("remove    the entry of " + former);
    assertThat(Files.readString(baseline())).contains(finding.fingerprint(), "looked at again");
    refused(accept(finding.fingerprint(), "once more"), "is already accepted", "looked at again");
  }

  @Test
  void severalFindingsShouldBeAcceptedTogetherOrNotAtAll() throws IOException {
    workbench.runCampaign(campaign("missing-fence", ""));
    List<String> findings =
        report("missing-fence").findings().stream().map(Finding::fingerprint).limit(2).toList();
    assertThat(findings).hasSize(2);

    refused(acceptTogether(findings.get(0), "ffffffffffffffff"), "no finding ffffffffffffffff");
    assertThat(baseline()).doesNotExist();

    Said accepted = acceptTogether(findings.get(0), findings.get(1), findings.get(0));
    assertThat(accepted.exitCode()).as(accepted.errors()).isZero();
    assertThat(accepted.output().lines().filter(line -> line.startsWith("accepted "))).hasSize(2);
    assertThat(accepted.output().lines().filter(line -> line.startsWith("in "))).hasSize(1);
    assertThat(Files.readString(baseline())).contains(findings);
    refused(acceptTogether(findings.get(1)), "is already accepted");
  }

  private Said acceptTogether(String... fingerprints) {
    List<String> command = new ArrayList<>(List.of("accept"));
    command.addAll(List.of(fingerprints));
    command.addAll(List.of("--reason", "why", "--runs", workbench.runs().toString()));
    return Workbench.powercut(command.toArray(String[]::new));
  }

  @Test
  void findingOfTwoCampaignsShouldBeAcceptedForTheRunThatIsNamed() throws IOException {
    workbench.runCampaign(campaign("one-path", ""));
    String program = Workbench.home() + "/workloads/bugs/build/bug/one-path";
    workbench.runCampaign(campaign("other", program, ""));
    String fingerprint = failing(report("other")).get(0).fingerprint();

    refused(accept(fingerprint, "why"), "more than one finding", "other, ", "one-path, ", "--run");
    Said accepted =
        Workbench.powercut(
            "accept", fingerprint, "--reason", "why", "--run", latest("other").toString());

    assertThat(accepted.exitCode()).as(accepted.errors()).isZero();
    assertThat(Workbench.powercut("report", latest("other").toString()).exitCode()).isZero();
    assertThat(Workbench.powercut("report", latest("one-path").toString()).exitCode()).isEqualTo(1);
  }

  @Test
  void findingShouldBeAcceptedBesideACampaignWithoutReport() throws IOException {
    workbench.runCampaign(campaign("one-path", ""));
    Path broken = workbench.runs().resolve("another/2026-01-01_00-00-00");
    Files.createDirectories(broken);
    Files.createSymbolicLink(broken.resolveSibling("latest"), broken.getFileName());
    String fingerprint = failing(report("one-path")).get(0).fingerprint();

    assertThat(Files.readString(latest("one-path").resolve("report.html")))
        .contains(
            Workbench.home().resolve("powercut")
                + " accept "
                + fingerprint
                + " --run "
                + latest("one-path").toRealPath()
                + " --reason ");
    refused(accept("ffffffffffffffff", "why"), "no finding ffff", "not searched: ", "another");
    assertThat(accept(fingerprint, "why").exitCode()).isZero();
  }

  @Test
  void mistypedShardShouldLeaveNoRun() throws IOException {
    Said said = workbench.runCampaign(campaign("one-path", ""), "--shard", "3/2");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("there is no part 3/2");
    assertThat(workbench.runs().resolve("one-path")).doesNotExist();
  }

  private static void refused(Said said, String... because) {
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(2);
    assertThat(said.errors()).contains(because).doesNotContain("bug in Powercut");
  }

  @Test
  void brokenBaselineShouldEndARunBeforeItBegins() throws IOException {
    Files.writeString(baseline(), "- {fingerprint: 0123456789abcdef, raeson: typing}\n");
    Said said = workbench.runCampaign(campaign("one-path", ""));

    refused(said, baseline() + ":1: unknown key 'raeson'", "has no 'campaign'");
    assertThat(latest("one-path").resolve("tree.jsonl")).doesNotExist();
  }

  @Test
  void entryThatNoLongerOccursShouldBeReportedWhenEverythingWasJudged() throws IOException {
    Files.writeString(
        baseline(),
        """
        - {fingerprint: 0123456789abcdef, campaign: one-path, reason: old, date: 2026-01-31}
        - {fingerprint: 0123456789abcdee, campaign: other, reason: old, date: 2026-01-31}
        """);
    Path campaign = campaign("one-path", "");
    Said whole = workbench.runCampaign(campaign);
    Report complete = report("one-path");
    workbench.runCampaign(campaign, "--set", "limits.images=2");
    Report cutShort = report("one-path");

    assertThat(complete.baseline().orElseThrow().gone()).containsExactly("0123456789abcdef");
    assertThat(whole.output())
        .contains(
            "baseline        no longer found, remove from " + baseline() + ": 0123456789abcdef");
    assertThat(cutShort.outcome().complete()).isFalse();
    assertThat(cutShort.baseline().orElseThrow().gone()).isEmpty();
  }

  /** To resume it would not help. */
  @Test
  void runThatLacksPatternsAloneShouldSaySo() throws IOException {
    workbench.runCampaign(campaign("one-path", "failOn: []"));
    Files.delete(latest("one-path").resolve("patterns.json"));
    Path facts = latest("one-path").resolve("run.json");
    String all = Files.readString(facts);
    Said missing = Workbench.powercut("report", latest("one-path").toString());
    Files.writeString(facts, all.replaceAll("\"patterns.json\" : \\d+,", ""));
    Said said = Workbench.powercut("report", latest("one-path").toString());

    assertThat(missing.exitCode()).as(missing.errors()).isEqualTo(3);
    assertThat(missing.errors()).contains("patterns.json is missing");
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output()).contains("the search for patterns was abandoned");
    assertThat(said.output()).doesNotContain("resumed");
  }

  @Test
  void runThatCouldNotBeTrustedShouldHaveNoReportLaterEither() throws IOException {
    Path campaign =
        workbench.write(
            "wrong.yaml",
            """
            name: wrong
            target: {command: ["true"]}
            recovery: {command: ["false"]}
            """);
    Said ran = workbench.runCampaign(campaign);
    Said reported = Workbench.powercut("report", latest("wrong").toString());

    assertThat(ran.exitCode()).as(ran.errors()).isEqualTo(3);
    assertThat(reported.exitCode()).as(reported.errors()).isEqualTo(3);
    assertThat(reported.errors()).contains("could not be trusted: the oracle failed its control");
  }

  /** Compiles the program anew, with its lines moved. */
  private Path build(String variant, int moved) throws IOException, InterruptedException {
    Path suite = Workbench.home().resolve("workloads/bugs");
    Path source =
        workbench.write(
            "app.c", "\n".repeat(moved) + Files.readString(suite.resolve("flag-before-data.c")));
    Path program = workbench.directory().resolve("app");
    Process compiler =
        new ProcessBuilder(
                "cc",
                "-g",
                "-O1",
                "-D" + variant,
                "-I" + suite,
                "-o",
                program.toString(),
                source.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as(said).isZero();
    return program;
  }

  @Test
  void differenceShouldTellNewGoneAndSameAlthoughLinesMoved() throws Exception {
    Path campaign = campaign("app", build("BUG=1", 0).toString(), "");
    workbench.runCampaign(campaign);
    Path bug = latest("app");
    build("BUG=1", 25);
    workbench.runCampaign(campaign);
    Path moved = latest("app");
    build("BUG=0", 0);
    workbench.runCampaign(campaign);
    Path mended = latest("app");
    Finding finding = failing(Workbench.report(bug)).get(0);
    assertThat(failing(Workbench.report(moved)).get(0).stack()).isNotEqualTo(finding.stack());

    Said same = Workbench.powercut("diff", bug.toString(), moved.toString());
    Said gone = Workbench.powercut("diff", moved.toString(), mended.toString());
    Said fresh = Workbench.powercut("diff", mended.toString(), bug.toString());

    assertThat(same.exitCode()).as(same.output()).isZero();
    assertThat(same.output()).contains("0 new, 0 gone", "same  " + finding.fingerprint());
    assertThat(gone.exitCode()).as(gone.output()).isZero();
    assertThat(gone.output()).contains("0 new, 1 gone", "gone  " + finding.fingerprint());
    assertThat(fresh.exitCode()).as(fresh.output()).isEqualTo(1);
    assertThat(fresh.output()).contains("1 new, 0 gone", "new   " + finding.fingerprint());

    Said json = Workbench.powercut("diff", mended.toString(), bug.toString(), "--format", "json");
    JsonNode difference = new ObjectMapper().readTree(json.output());

    assertThat(json.exitCode()).isEqualTo(1);
    assertThat(difference.at("/new/0/fingerprint").asText()).isEqualTo(finding.fingerprint());
    assertThat(difference.get("gone")).isEmpty();
    assertThat(difference.at("/later/run").asText()).isEqualTo(bug.toString());
  }

  @Test
  void newFindingThatDoesNotFailShouldNotFailTheDifference() throws Exception {
    Path campaign = campaign("app", build("BUG=0", 0).toString(), "failOn: []");
    workbench.runCampaign(campaign);
    Path mended = latest("app");
    build("BUG=1", 0);
    workbench.runCampaign(campaign);

    Said said = Workbench.powercut("diff", mended.toString(), latest("app").toString());

    assertThat(said.exitCode()).isZero();
    assertThat(said.output()).contains("1 new, 0 gone");
  }
}
