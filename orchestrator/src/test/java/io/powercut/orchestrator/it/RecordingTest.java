// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A target that is recorded once and judged in parts. */
@Tag("campaign")
class RecordingTest {
  private static final Path BUG = Workbench.home().resolve("configs/bugs/bug.yaml");

  /** All that Powercut chooses by itself, but for what there is time for. */
  private static final List<String> OPTIONS =
      List.of(
          "--set",
          "name=app",
          "--set",
          "build=null",
          "--set",
          "parameters.program=one-path",
          "--set",
          "occurrences=null",
          "--set",
          "occurrences.share=0");

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  private Path latest() throws IOException {
    return workbench.runs().resolve("app/latest").toRealPath();
  }

  private Path place(String name) {
    return workbench.runs().resolve(name);
  }

  private Path record(String... more) {
    List<String> arguments = new ArrayList<>(List.of("record", BUG.toString()));
    arguments.addAll(OPTIONS);
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--to", place("recording").toString()));
    Said said = Workbench.powercut(arguments.toArray(String[]::new));
    assertThat(said.exitCode()).as(said.errors()).isZero();
    return place("recording");
  }

  private Path judge(Path recording, String shard) {
    Path part = place("part-" + shard.replace('/', '-'));
    Said said =
        Workbench.powercut(
            "judge", recording.toString(), "--shard", shard, "--into", part.toString());
    assertThat(said.exitCode()).as(said.errors()).isIn(0, 1);
    return part;
  }

  private Said merge(Path recording, Path... parts) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "merge",
                "--recording",
                recording.toString(),
                "--runs",
                workbench.runs().toString()));
    Stream.of(parts).map(Path::toString).forEach(arguments::add);
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  /** All of a finding but where its replay command finds the run. */
  private static List<String> findings(Report report) {
    return report.findings().stream()
        .map(finding -> finding.fingerprint() + " " + finding.count() + " " + finding.title())
        .toList();
  }

  @Test
  void partsOfARecordingShouldEqualTheRunAsAWhole() throws IOException {
    Said whole = workbench.runCampaign(BUG, OPTIONS.toArray(String[]::new));
    Report expected = Workbench.report(latest());

    Path recording = record();
    List<Path> parts = List.of(judge(recording, "1/3"), judge(recording, "2-3/3"));
    Said merged = merge(recording, parts.get(0), parts.get(1));

    assertThat(parts)
        .allSatisfy(part -> assertThat(part.resolve("verdicts.jsonl")).isNotEmptyFile());
    Report report = Workbench.report(latest());
    assertThat(merged.exitCode()).as(merged.errors()).isEqualTo(whole.exitCode()).isEqualTo(1);
    assertThat(findings(report)).isEqualTo(findings(expected)).isNotEmpty();
    assertThat(report.outcome()).isEqualTo(expected.outcome());
    assertThat(report.failurePoints()).isEqualTo(expected.failurePoints());
    assertThat(report.verdicts()).isEqualTo(expected.verdicts());
    assertThat(report.images()).isEqualTo(expected.images());
    assertThat(report.trace()).isEqualTo(expected.trace()).isPresent();
    assertThat(report.findings()).extracting(Finding::fingerprint).doesNotHaveDuplicates();
  }

  @Test
  void aPartThatIsMissingShouldLeaveTheRunIncomplete() throws IOException {
    Path recording = record();

    Said merged = merge(recording, judge(recording, "1-4/5"));

    assertThat(merged.output()).contains("part 5/5 was not merged");
    assertThat(merged.exitCode()).isIn(1, 4);
    assertThat(Workbench.report(latest()).outcome().toString()).contains("false");
  }

  @Test
  void anInterruptedRecordingShouldLeaveNothing() throws Exception {
    Path started = place("started");
    Process powercut =
        workbench.startPowercut(
            "record",
            BUG.toString(),
            "--to",
            place("recording").toString(),
            "--set",
            "target.command=[sh, -c, \"touch '%s'; sleep 60\"]".formatted(started));
    await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(started));
    new ProcessBuilder("kill", "-INT", Long.toString(powercut.pid())).start().waitFor();
    Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(place("recording")).doesNotExist();
    assertThat(workbench.filesLeft()).isEmpty();
  }

  @Test
  void aFolderThatExistsShouldBeRefused() throws IOException {
    Files.createDirectories(place("recording").resolve("base"));
    Said said = Workbench.powercut("record", BUG.toString(), "--to", place("recording").toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("exists already, a recording that did not end; name a");
  }

  @Test
  void aMachineWithAnotherRecoveryShouldBeRefused() throws IOException {
    Path recording = record();
    Path facts = recording.resolve("recording.json");
    Files.writeString(
        facts, Files.readString(facts).replaceAll("\"sha256\" *: *\"....", "\"sha256\":\"0000"));

    Said said =
        Workbench.powercut(
            "judge", recording.toString(), "--shard", "1/1", "--into", place("part").toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("is not the one of the recorded run");
    assertThat(place("part")).doesNotExist();
  }

  @Test
  void aMachineWhoseProcessorLacksAFlushShouldBeRefused() throws IOException {
    Path recording = record();
    Path facts = recording.resolve("recording.json");
    Files.writeString(
        facts,
        Files.readString(facts).replaceAll("\"flushes\" *: *\\[", "\"flushes\":[\"clbetter\","));

    Said said =
        Workbench.powercut(
            "judge", recording.toString(), "--shard", "1/1", "--into", place("part").toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("its processor lacks clbetter");
    assertThat(place("part")).doesNotExist();
  }

  /** As where a library is missing there: it refuses everything, and that is no bug. */
  @Test
  void aMachineOnWhichRecoveryRefusesTheStateAfterSetUpShouldJudgeNothing() throws IOException {
    Path refusing = workbench.directory().resolve("refuses-when-told");
    Path recovery = workbench.write("recovery", "#!/bin/sh\ntest ! -e " + refusing + "\n");
    assertThat(recovery.toFile().setExecutable(true)).isTrue();
    Path recording = record("--set", "recovery={command: [" + recovery + "]}");
    Files.createFile(refusing);

    Said said =
        Workbench.powercut(
            "judge", recording.toString(), "--shard", "1/1", "--into", place("part").toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("this machine cannot judge the recording")
        .contains("recovery does not accept the state after set-up");
    assertThat(place("part").resolve("verdicts.jsonl")).doesNotExist();
    assertThat(
            Workbench.powercut(
                    "judge",
                    recording.toString(),
                    "--shard",
                    "1/1",
                    "--into",
                    place("part").toString())
                .errors())
        .contains("exists already, a part that did not end; name a folder that does not.");
  }

  @Test
  void aFolderThatIsNoRecordingShouldBeRefused() {
    Said said =
        Workbench.powercut(
            "judge",
            workbench.runs().toString(),
            "--shard",
            "1/1",
            "--into",
            place("part").toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("is not a recording");
  }
}
