// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server as all that a campaign has: set-up, target, recovery and dump. */
@Tag("campaign")
class ServerTest {
  private static final String CAMPAIGN =
      """
      name: numbers
      parameters: {habit: correct, serving: correct, client: ask, words: check}
      setup:
        command: [%1$s, serve, correct, "{pm}", "{port}"]
        ready: {tcp: "127.0.0.1:{port}"}
        client: {command: [%1$s, ask, "{port}", advance, advance]}
      target:
        command: [%1$s, serve, "{serving}", "{pm}", "{port}"]
        ready: {tcp: "127.0.0.1:{port}"}
        client: {command: [%1$s, ask, "{port}", advance, advance]}
      recovery:
        name: serve
        command: [%1$s, serve, "{habit}", "{pm}", "{port}"]
        ready: {tcp: "127.0.0.1:{port}"}
        client: {command: [%1$s, "{client}", "{port}", "{words}"], timeout: 5s}
      patterns: {enabled: false}
      """;

  private static final String DUMP =
      """
      acknowledged: [sockets]
      dump:
        command: [%1$s, serve, "{habit}", "{pm}", "{port}"]
        ready: {tcp: "127.0.0.1:{port}"}
        client: {command: [%1$s, ask, "{port}", dump]}
      """;

  private static final String NO_STATES = "crashStates.enabled=false";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns plain;
  private static CampaignRuns dumping;

  @BeforeAll
  static void build() {
    Path program = workbench.compile("programs/server.c");
    plain = runs("plain.yaml", CAMPAIGN.formatted(program));
    dumping = runs("dumping.yaml", (CAMPAIGN + DUMP).formatted(program));
  }

  private static CampaignRuns runs(String file, String campaign) {
    return new CampaignRuns(
        workbench, workbench.write(file, campaign), "numbers", "parameters.habit", List.of());
  }

  @Test
  void setUpByAServerShouldLeaveWhatItsClientFilledIn() throws IOException {
    Report report = dumping.report("correct", NO_STATES);

    assertThat(report.findings()).isEmpty();
    assertThat(report.failurePoints().unique()).isEqualTo(4);
    Report alone = dumping.report("correct", NO_STATES, "setup=null");
    assertThat(alone.findings()).isEmpty();
  }

  @Test
  void setUpWhoseClientFailsShouldBeReported() {
    Said said = plain.run("correct", "setup.client.command=[\"false\"]");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("the campaign's setup failed: the server ran, but its client failed");
  }

  @Test
  void dumpByAServerShouldTellWhatACheckDoesNot() throws IOException {
    assertThat(plain.report("older", NO_STATES).findings()).isEmpty();

    Report report = dumping.report("older", NO_STATES);

    assertThat(report.findings()).isNotEmpty();
    InjectionEvidence proof = report.findings().get(0).injection().orElseThrow();
    assertThat(proof.step()).isEqualTo("dump");
    assertThat(proof.output()).contains("-number 2\n", "+number 1\n");
  }

  @Test
  void secondCrashShouldBeFoundInAServer() throws IOException {
    String[] cut = {NO_STATES, "recovery.inject=true"};
    assertThat(plain.report("correct", cut).findings()).isEmpty();

    Report report = plain.report("hasty", cut);

    assertThat(report.verdicts().get("CONSISTENT")).isEqualTo(report.failurePoints().unique());
    assertThat(report.findings()).hasSize(1);
    InjectionEvidence proof = report.findings().get(0).injection().orElseThrow();
    assertThat(proof.recoveryCrash().orElseThrow().stack())
        .extracting(StackFrame::function)
        .startsWith("set", "forget", "recover", "main");
    assertThat(proof.output()).contains("the numbers differ");
  }

  private static List<Tuple> findings(Report report) {
    return report.findings().stream()
        .map(one -> Tuple.tuple(one.fingerprint(), one.title(), one.count(), one.stack()))
        .toList();
  }

  @Test
  void linesThatAServerDoesNotReadShouldNotBeTriedOneByOne() throws IOException {
    // States that are judged to decide a failure point come on top where reads are known.
    String[] all = {
      "parameters.serving=unflushed", "crashStates.exhaustive=4", "crashStates.complete=0", ""
    };
    all[3] = "crashStates.skipUnread=false";
    Report unpruned = plain.report("correct", all);
    all[3] = "crashStates.skipUnread=true";
    Report pruned = plain.report("correct", all);

    assertThat(findings(pruned)).isEqualTo(findings(unpruned)).isNotEmpty();
    assertThat(pruned.states().orElseThrow().judged())
        .isEqualTo(unpruned.states().orElseThrow().judged());
    assertThat(unpruned.states().orElseThrow().unread()).isZero();
    assertThat(pruned.states().orElseThrow().unread()).isPositive();
  }

  /** Whose reads are not seen. */
  @Test
  void clientThatReadsTheFilesItselfShouldHaveAllStatesTried() throws IOException {
    Report report =
        plain.report(
            "correct",
            "parameters.serving=unflushed",
            "crashStates.skipUnread=true",
            "parameters.client=read",
            "parameters.words=\"{pm}\"");

    assertThat(report.findings()).isNotEmpty();
    assertThat(report.states().orElseThrow().unread()).isZero();
  }
}
