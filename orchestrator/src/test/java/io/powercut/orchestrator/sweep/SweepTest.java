// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.it.Workbench.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sweeps and their history, as a user meets them. */
@Tag("campaign")
class SweepTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FAILURE_POINTS = 10;

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  private List<String> arguments(String command, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of(command, "--runs", workbench.runs().toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private List<String> sweepArguments(String... more) {
    List<String> arguments = arguments("sweep", more);
    arguments.addAll(List.of("--set", "pm.directory=" + workbench.pm(), folder().toString()));
    return arguments;
  }

  private Said sweep(String... more) {
    return Workbench.powercut(sweepArguments(more).toArray(String[]::new));
  }

  private Process startSweep(String... more) {
    return workbench.startPowercut(sweepArguments(more).toArray(String[]::new));
  }

  private Said history(String... more) {
    return Workbench.powercut(arguments("history", more).toArray(String[]::new));
  }

  private JsonNode historyOf(String campaign) throws IOException {
    Said said = history(campaign, "--format", "json");
    assertThat(said.exitCode()).as(said.errors()).isZero();
    return new ObjectMapper().readTree(said.output()).at("/campaigns/0");
  }

  private static List<String> texts(JsonNode nodes, String key) {
    return StreamSupport.stream(nodes.spliterator(), false)
        .map(node -> node.get(key).asText())
        .toList();
  }

  private Path folder() {
    return workbench.directory().resolve("campaigns");
  }

  private void write(String name, String text) {
    try {
      Files.createDirectories(folder());
      Files.writeString(folder().resolve(name), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A program of the bug suite; each recovery first pauses. */
  private void writeProgram(String name, String program, String variant, String pause) {
    String path = Workbench.home().resolve("workloads/bugs/build/" + variant + "/" + program) + "";
    write(
        name + ".yaml",
        """
        environment: {PM_DIRECTORY: "{pm}"}
        setup: {command: ["%1$s", create, "{pm}"]}
        target: {command: ["%1$s", run, "{pm}"]}
        recovery:
          - {name: pause, command: [sleep, "%2$s"]}
          - {name: check, command: ["%1$s", check, "{pm}"]}
        patterns: {enabled: false}
        crashStates: {enabled: false}
        occurrences: {first: 1}
        limits: {parallel: 1}
        """
            .formatted(path, pause));
  }

  /** A campaign that compiles its program from a source file of this workbench. */
  private void writeCompiled() {
    write(
        "slots.yaml",
        """
        build: {command: [cc, -std=gnu11, -g, -Og, -fno-inline, -I, "%s", -o, slots, slots.c]}
        setup: {command: [./slots, create, "{pm}"]}
        target: {command: [./slots, run, "{pm}"]}
        recovery: {command: [./slots, check, "{pm}"]}
        """
            .formatted(Workbench.home().resolve("workloads/bugs")));
  }

  private void writeSource(int bug, int linesInFront) throws IOException {
    String source = Files.readString(Workbench.home().resolve("workloads/bugs/flag-before-data.c"));
    Files.writeString(
        folder().resolve("slots.c"),
        "#define BUG " + bug + "\n" + "\n".repeat(linesInFront) + source);
  }

  @Test
  void bugShouldBeNewThenStayThenGoThenBeSeenAgainAlthoughLinesMove() throws IOException {
    writeCompiled();
    writeSource(0, 0);
    assertThat(sweep()).satisfies(said -> assertThat(said.exitCode()).as(said.errors()).isZero());

    writeSource(1, 10);
    Said broken = sweep();

    assertThat(broken.exitCode()).as(broken.errors()).isEqualTo(1);
    assertThat(broken.output()).contains("new in slots (1)", "BUG unrecoverable", "slots.c:");
    JsonNode first = historyOf("slots").at("/findings/0");
    assertThat(first.get("state").asText()).isEqualTo("NEW");

    writeSource(1, 200);
    Said moved = sweep();

    assertThat(moved.exitCode()).isEqualTo(1);
    assertThat(moved.output()).doesNotContain("new in", "gone in");
    JsonNode second = historyOf("slots").at("/findings");
    assertThat(second).hasSize(1);
    assertThat(second.at("/0/fingerprint")).isEqualTo(first.get("fingerprint"));
    assertThat(second.at("/0/state").asText()).isEqualTo("STAYS");
    assertThat(second.at("/0/place")).isNotEqualTo(first.get("place"));

    writeSource(0, 30);
    Said fixed = sweep();

    assertThat(fixed.exitCode()).as(fixed.errors()).isZero();
    assertThat(fixed.output())
        .contains("gone in slots (1)", first.get("fingerprint").asText())
        .doesNotContain("new in");
    assertThat(historyOf("slots").at("/findings/0/state").asText()).isEqualTo("GONE");
    assertThat(history("slots").output()).contains("gone (1)", "gone since");

    writeSource(1, 0);
    Said again = sweep();

    assertThat(again.output()).contains("seen again in slots (1)").doesNotContain("new in");
    assertThat(history().output()).containsPattern("slots +5 .* 0 1 1 0 1\n");
    assertThat(texts(historyOf("slots").get("runs"), "targetBuildId")).doesNotHaveDuplicates();
  }

  @Test
  void campaignsThatFailShouldNotStopTheOthersAndTheWorstShouldBeTheExitCode() {
    writeProgram("a-no-control", "figure2", "correct", "wrong");
    write("b-unreadable.yaml", "target: [\n");
    write("c-no-program.yaml", "target: {command: [./missing]}\nrecovery: {command: ['true']}\n");
    writeProgram("d-bug", "recovery-crash", "bug", "0");
    writeProgram("e-same-bug", "recovery-crash", "bug", "0");
    write("base.yaml", "limits: {parallel: 1}\n");
    writeProgram("z-fine", "recovery-crash", "correct", "0");
    write("f-twin.yaml", "extends: z-fine.yaml\nname: d-bug\n");
    Said said = sweep();

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .containsPattern("(?m)^a-no-control +3 ")
        .containsPattern("(?m)^b-unreadable +2 ")
        .containsPattern("(?m)^c-no-program +3 ")
        .containsPattern("(?m)^d-bug +1 +1 ")
        .containsPattern("(?m)^\\S*/f-twin.yaml +2 ")
        .containsPattern("(?m)^z-fine +0 +0 ")
        .contains("b-unreadable failed:", "b-unreadable.yaml:2", "a different name");
    assertThat(said.errors())
        .contains("no target: " + folder().resolve("base.yaml"), "[7/7] z-fine");
    assertThat(history().output())
        .containsPattern("(?m)^d-bug +1 .* 1 ")
        .contains("a-no-control failed", "sleep: invalid time interval");
  }

  @Test
  void sweepWithoutNewBugsButWithAFailureShouldSayThatItIsNotTrustworthy() {
    write("broken.yaml", "target: {command: [./missing]}\nrecovery: {command: ['true']}\n");
    write("unreadable.yaml", "target: [\n");

    assertThat(sweep().exitCode()).isEqualTo(3);
  }

  private Path verdicts(String campaign) {
    return workbench.runs().resolve(campaign).resolve("latest/verdicts.jsonl");
  }

  private List<String> verdictLines(String campaign) throws IOException {
    return Files.exists(verdicts(campaign)) ? Files.readAllLines(verdicts(campaign)) : List.of();
  }

  private void awaitVerdicts(String campaign) {
    await().atMost(PATIENCE).until(() -> verdictLines(campaign).size() >= 2);
  }

  private static long runDirectories(Path campaign) throws IOException {
    try (Stream<Path> entries = Files.list(campaign)) {
      return entries.filter(path -> !Files.isSymbolicLink(path)).count();
    }
  }

  private void writeThree() {
    writeProgram("a-first", "recovery-crash", "bug", "0");
    writeProgram("b-slow", "one-path", "bug", "0.2");
    writeProgram("c-last", "recovery-crash", "correct", "0");
  }

  @Test
  void killedSweepShouldKeepWhatEndedAndBeResumed() throws Exception {
    writeThree();
    Process powercut = startSweep();
    awaitVerdicts("b-slow");
    powercut.destroyForcibly().waitFor();
    await().atMost(PATIENCE).until(() -> workbench.processesLeft().isEmpty());
    List<String> before = verdictLines("b-slow");

    Path units = workbench.runs().resolve("b-slow/latest/units");
    Files.createDirectories(units);

    assertThat(before).hasSizeBetween(2, FAILURE_POINTS - 1);
    assertThat(history().output())
        .containsPattern("(?m)^a-first +1 ")
        .doesNotContain("b-slow", "c-last");

    Said resumed = sweep("--resume");

    assertThat(resumed.exitCode()).as(resumed.errors()).isEqualTo(1);
    assertThat(resumed.errors()).contains("what a cluster has judged of b-slow is in");
    assertThat(units).doesNotExist();
    assertThat(resumed.output())
        .containsPattern("(?m)^a-first +1 +1 ")
        .containsPattern("(?m)^b-slow +1 +1 ")
        .containsPattern("(?m)^c-last +0 +0 ");
    assertThat(verdictLines("b-slow"))
        .startsWith(before.toArray(String[]::new))
        .hasSize(FAILURE_POINTS);
    assertThat(history().output())
        .containsPattern("(?m)^a-first +1 ")
        .containsPattern("(?m)^b-slow +1 ")
        .containsPattern("(?m)^c-last +1 ");
    assertThat(runDirectories(workbench.runs().resolve("a-first"))).isEqualTo(1);
    assertThat(workbench.runs().resolve("index.html"))
        .content()
        .contains("a-first", "b-slow", "c-last", "/report.html\"");
    assertThat(workbench.runs().resolve("sweep.md"))
        .content()
        .startsWith("# Powercut: 3 campaigns: 2 with bugs, 1 clean\n");
    assertThat(workbench.runs().resolve("sweep.sarif")).content().contains("c-last");
    assertThat(workbench.runs().resolve("sweep-junit.xml")).content().contains("name=\"c-last\"");
  }

  @Test
  void interruptedSweepShouldEndAtOnceAndSayWhatWasNotRun() throws Exception {
    writeThree();
    Process powercut = startSweep();
    awaitVerdicts("b-slow");
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output())
        .containsPattern("(?m)^a-first +1 +1 ")
        .containsPattern("(?m)^b-slow +[14] ")
        .containsPattern("(?m)^c-last +not run$")
        .contains("the sweep was interrupted");
    assertThat(verdictLines("b-slow")).hasSizeLessThan(FAILURE_POINTS);
    assertThat(history("b-slow").output()).contains("b-slow");

    Said resumed = sweep("--resume");

    assertThat(resumed.output()).containsPattern("(?m)^c-last +0 +0 ");
    assertThat(verdictLines("b-slow")).hasSize(FAILURE_POINTS);
    assertThat(historyOf("b-slow").get("runs")).hasSize(1);
  }

  @Test
  void twoSweepsAtOnceShouldBothBeInTheHistory() throws Exception {
    writeThree();
    Process other = startSweep();
    Said said = sweep();
    Said otherSaid = workbench.said(other);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(otherSaid.exitCode()).as(otherSaid.errors()).isEqualTo(1);
    for (String campaign : List.of("a-first", "b-slow", "c-last")) {
      JsonNode runs = historyOf(campaign).get("runs");
      assertThat(runs).hasSize(2);
      assertThat(texts(runs, "complete")).containsOnly("true");
      assertThat(texts(runs, "directory")).doesNotHaveDuplicates();
      assertThat(runDirectories(workbench.runs().resolve(campaign))).isEqualTo(2);
    }
    assertThat(historyOf("a-first").at("/findings/0/runs").asInt()).isEqualTo(2);
  }

  @Test
  void runningSweepShouldNotBeResumed() {
    writeThree();
    Process other = startSweep();
    awaitVerdicts("b-slow");
    Said said = sweep("--resume");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("still running");
    assertThat(workbench.said(other).exitCode()).isEqualTo(1);
  }

  @Test
  void budgetShouldCutCampaignsShortGiveThemMoreTheNextTimeAndNotMakeFindingsGone()
      throws Exception {
    writeProgram("a-slow", "one-path", "bug", "0");
    writeProgram("b-quick", "recovery-crash", "correct", "0");
    assertThat(sweep().exitCode()).isEqualTo(1);
    writeProgram("a-slow", "one-path", "correct", "2");
    Said short1 = sweep("--time", "20s");

    assertThat(short1.errors()).contains("[1/2] a-slow, for at most 10s");
    assertThat(short1.output())
        .containsPattern("(?m)^a-slow +4 +0 +0 ")
        .containsPattern("(?m)^b-quick +0 ");
    assertThat(historyOf("a-slow").at("/findings/0/state").asText()).isEqualTo("UNKNOWN");

    writeProgram("a-slow", "one-path", "correct", "0");
    Said next = sweep("--time", "5m");

    assertThat(next.errors()).contains("[1/2] a-slow, for at most 2m", "[2/2] b-quick");
    assertThat(next.exitCode()).as(next.errors()).isZero();
    assertThat(next.output()).contains("gone in a-slow (1)");
  }

  @Test
  void whatOneSweepDoesNotReachShouldComeFirstInTheNext() {
    writeProgram("a-slow", "one-path", "correct", "2");
    writeProgram("b-quick", "recovery-crash", "correct", "0");
    writeProgram("c-quick", "recovery-crash", "correct", "0");
    Said first = sweep("--time", "3s");

    assertThat(first.errors()).contains("[1/3] a-slow, for at most 3s");
    assertThat(first.output())
        .contains(
            "reached  1 of 3 campaigns: 1 incomplete, 2 not run\n         2 not: too little time was left\n")
        .containsPattern("(?m)^b-quick +not run$")
        .containsPattern("(?m)^c-quick +not run$");

    writeProgram("a-slow", "one-path", "correct", "0");
    Said next = sweep("--time", "1m");

    assertThat(next.errors()).contains("[1/3] b-quick", "[2/3] c-quick", "[3/3] a-slow");
    assertThat(next.output()).contains("reached  3 of 3 campaigns: 3 clean\n");
    assertThat(next.exitCode()).as(next.errors()).isZero();
  }

  @Test
  void nothingToSweepResumeOrShowShouldBeSaid() throws IOException {
    Files.createDirectories(folder());
    Said none = sweep();
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.errors()).contains("there is no campaign", folder().toString());

    writeProgram("fine", "recovery-crash", "correct", "0");
    Said noSweep = sweep("--resume");
    assertThat(noSweep.exitCode()).isEqualTo(2);
    assertThat(noSweep.errors()).contains("no sweep of the same campaigns", "without --resume");

    Said empty = history();
    assertThat(empty.exitCode()).isZero();
    assertThat(empty.output()).contains("no run in the history", "yet");

    Said missing = history("--history", workbench.directory().resolve("none.db").toString());
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.errors()).contains("none.db", "powercut sweep");

    Said wrong = sweep("--time", "6 hours");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.errors()).contains("'6 hours' is not a duration", "1h30m");
  }

  @Test
  void singleRunsShouldBeAddedOnceHoweverOften() throws IOException {
    writeProgram("single", "recovery-crash", "bug", "0");
    workbench.runCampaign(folder().resolve("single.yaml"));
    String run = workbench.runs().resolve("single/latest").toString();
    Said said = history("--add", run);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).containsPattern("(?m)^single +1 ");
    history("--add", run, "--add", run);
    assertThat(historyOf("single").get("runs")).hasSize(1);
    Said unknown = history("other");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.errors()).contains("no run of 'other'", "single");
  }
}
