// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.findings.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A finding, taken up again by its developer. */
@Tag("campaign")
class ReplayTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  private static Path run;
  private static InjectionEvidence finding;

  @BeforeAll
  static void findSomething() {
    run = runOf("recovery-crash", "bug");
    finding = Workbench.report(run).findings().get(0).injection().orElseThrow();
  }

  private static Path runOf(String program, String variant) {
    String name = program + "-" + variant;
    Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
    workbench.run(
        workbench.load(
            file,
            List.of(
                "name=" + name,
                "parameters.program=" + program,
                "parameters.variant=" + variant,
                "crashStates.enabled=false")),
        file);
    return workbench.runs().resolve(name + "/latest");
  }

  private static Workbench.Said replay(String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "replay";
    arguments[1] = run.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    return Workbench.powercut(arguments);
  }

  @Test
  void firstFindingShouldBeReplayedWithBothStacks() throws IOException {
    Workbench.Said said = replay();

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("power cut before " + finding.instruction())
        .containsPattern("add at .*recovery-crash\\.c:\\d+")
        .contains("verdict  crashed: " + finding.seen())
        .containsPattern("recovery crashed:\n  read_value at .*recovery-crash\\.c:\\d+");
    assertThat(run.toRealPath().resolve("replay/" + finding.failurePointId().toString() + "/pool"))
        .exists();
  }

  @Test
  void commandOfTheFindingShouldReplayIt() {
    List<String> command = List.of(finding.replay().split(" "));

    assertThat(command.get(0)).endsWith("/powercut");
    assertThat(command.get(1)).isEqualTo("replay");
    assertThat(command).endsWith(finding.failurePointId().toString());
    Workbench.Said said =
        Workbench.powercut(command.subList(1, command.size()).toArray(String[]::new));
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
  }

  @Test
  void beginningOfAnIdShouldDoAndTheImageShouldBeThatOfTheFinding() throws IOException {
    Path kept = workbench.directory().resolve("kept");
    Workbench.Said said =
        replay(finding.failurePointId().toString().substring(0, 6), "--keep", kept.toString());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("image    " + kept);
    Path found = run.resolve(finding.image().orElseThrow());
    assertThat(kept.resolve("pool")).hasSameBinaryContentAs(found.resolve("pool"));
  }

  @Test
  void healthyFailurePointShouldBeReplayedToItsVerdict() {
    String healthy =
        Workbench.judgements(run).stream()
            .filter(judgement -> !judgement.isBug())
            .findFirst()
            .orElseThrow()
            .failurePointId()
            .toString();
    Workbench.Said said = replay(healthy);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("verdict  consistent");
  }

  @Test
  void directoryWithFilesShouldNotBeOverwritten() throws IOException {
    Path kept = Files.createDirectory(workbench.directory().resolve("full"));
    Files.writeString(kept.resolve("precious"), "mine");
    Workbench.Said said = replay("--keep", kept.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains(kept.toString(), "is not empty");
    assertThat(kept.resolve("precious")).hasContent("mine");
  }

  @Test
  void unknownIdShouldBeRefusedWithTheWayToFindOne() {
    Workbench.Said said = replay("ffffffffffffffff");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("ffffffffffffffff", "powercut tree");
  }

  @Test
  void ambiguousIdShouldBeRefused() {
    Set<String> ids = new TreeSet<>();
    Workbench.tree(run).failurePoints().forEach(point -> ids.add(point.id().toString()));
    assertThat(ids).hasSizeGreaterThan(1);
    Workbench.Said said = replay("");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("more than one");
  }

  @Test
  void runWithoutFindingsShouldSaySo() {
    Path healthy = runOf("recovery-crash", "correct");
    Workbench.Said said = Workbench.powercut("replay", healthy.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("no finding", "powercut tree");
  }

  @Test
  void debuggerShouldStandInTheRecoveryOnTheImage() {
    Path script = workbench.write("gdb-recovery", "run\nbt\nkill\nquit\n");
    Workbench.Said said =
        workbench.powercutReading(script, "replay", run.toString(), "--gdb", "recovery");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("SIGSEGV").containsPattern("#0 .*read_value");
  }

  @Test
  void debuggerShouldStandInTheTargetInFrontOfTheInstruction() {
    Path script = workbench.write("gdb-target", "bt\nx/i $pc\nkill\nquit\n");
    Workbench.Said said =
        workbench.powercutReading(script, "replay", run.toString(), "--gdb", "target");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .containsPattern("#0 .*pm_persist")
        .containsPattern("add .*recovery-crash\\.c:\\d+")
        .containsPattern("=> .*clwb");
  }

  @Test
  void interruptionAtTheDebuggersPromptShouldBeForTheDebugger() {
    Workbench.Said said =
        workbench.powercutAtTerminal(
            List.of(
                "(gdb)|\\x03",
                "(gdb)|print 41+1\\n",
                "= 42|kill\\n",
                "y or n|y\\n",
                "(gdb)|quit\\n"),
            "replay",
            run.toString(),
            "--gdb",
            "target");

    assertThat(said.exitCode()).as(said.output()).isZero();
  }

  @Test
  void beginningOfAFingerprintShouldReplayItsFinding() {
    String fingerprint = Workbench.report(run).findings().get(0).fingerprint();
    Workbench.Said said = replay(fingerprint.substring(0, 8));

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("verdict  crashed: " + finding.seen());
    assertThat(said.output()).contains("replay/" + finding.failurePointId().toString());
  }

  /** A second finding, and the one at the tree's first failure point is accepted. */
  @Test
  void firstFindingOfTheReportShouldBeReplayedNotTheFirstOfTheTree() throws IOException {
    Path other = copyOfTheRun("accepted");
    List<String> tree =
        Workbench.tree(run).failurePoints().stream().map(point -> point.id().toString()).toList();
    Path verdicts = other.resolve("verdicts.jsonl");
    String crashed =
        Files.readAllLines(verdicts).stream()
            .filter(line -> line.contains(finding.failurePointId().toString()))
            .findFirst()
            .orElseThrow();
    for (String id : tree) {
      if (!id.equals(finding.failurePointId().toString())) {
        append(
            verdicts,
            crashed
                .replace(finding.failurePointId().toString(), id)
                .replace("\"CRASHED\"", "\"UNRECOVERABLE\"")
                .replaceAll("\"imageHash\":\"[^\"]*\"", "\"imageHash\":\"4567\"")
                .replaceAll("\"seen\":\"[^\"]*\"", "\"seen\":\"it said no\"")
                .replaceAll("\"recoveryStack\":\\[[^]]*]", "\"recoveryStack\":[]"));
      }
    }
    Path baseline = workbench.directory().resolve("baseline.yaml");
    Path campaign = other.resolve("campaign.yaml");
    Files.writeString(
        campaign,
        Files.readString(campaign)
                .replaceAll("(?m)^baseline: .*$", "baseline: \"%s\"".formatted(baseline))
            + "# A file of a run that is shorter than it was is refused.\n".repeat(10));
    Workbench.powercut("report", other.toString());
    Finding firstOfTree =
        Workbench.report(other).findings().stream()
            .filter(
                one ->
                    one.injection().orElseThrow().failurePointId().toString().equals(tree.get(0)))
            .findFirst()
            .orElseThrow();
    Files.writeString(
        baseline,
        "- {fingerprint: \"%s\", campaign: recovery-crash-bug, reason: \"known\", date: \"2026-11-21\"}\n"
            .formatted(firstOfTree.fingerprint()));

    Workbench.Said said = Workbench.powercut("replay", other.toString());

    assertThat(said.output())
        .as(said.errors())
        .contains("replay/")
        .doesNotContain("replay/" + tree.get(0));
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  @Test
  void debuggerShouldStandInTheTargetAtTheWantedOccurrence() {
    Path script = workbench.write("gdb-visit", "up 2\nprint pool->used\nkill\nquit\n");
    Workbench.Said said =
        workbench.powercutReading(
            script,
            "replay",
            run.toString(),
            finding.failurePointId().toString(),
            "--occurrence",
            "3",
            "--gdb",
            "target");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("at occurrence 3:", "$1 = 3");
  }

  @Test
  void otherBuildAndOtherImageShouldBeTold() throws IOException {
    assertThat(replay().errors()).doesNotContain("differs from", "was rebuilt since the run");

    Path other = copyOfTheRun("rebuilt");
    Path verdicts = other.resolve("verdicts.jsonl");
    Files.writeString(
        verdicts,
        Files.readString(verdicts)
            .replaceAll("\"imageHash\":\"[0-9a-f]{4}", "\"imageHash\":\"0123"));
    Workbench.Said varies = Workbench.powercut("replay", other.toString());
    assertThat(varies.errors())
        .contains("the image differs from the judged one: the target does not do the same");

    Path setUp = other.resolve("setup.json");
    Files.writeString(setUp, Files.readString(setUp).replaceFirst("[0-9a-f]{32}", "0"));
    assertThat(Workbench.powercut("replay", other.toString()).errors())
        .contains(
            "the image differs from the judged one: set-up gave other files than in the run, the"
                + " first is pool, which holds other bytes");

    Path facts = other.resolve("run.json");
    Files.writeString(
        facts,
        Files.readString(facts)
            .replaceAll("\"targetBuildId\" : \"[0-9a-f]+\"", "\"targetBuildId\" : \"b01dface\""));
    Workbench.Said rebuilt = Workbench.powercut("replay", other.toString());
    assertThat(rebuilt.errors())
        .contains(
            "the target was rebuilt since the run: its build id was b01dface and is ",
            "the image differs from the judged one: the target was rebuilt since");

    Workbench.Said lost =
        Workbench.powercut("replay", other.toString(), "--occurrence", "1000", "--quiet");
    assertThat(lost.exitCode()).isEqualTo(4);
    assertThat(lost.output())
        .contains("not reached again: the target was rebuilt since the run, so run the campaign");
  }

  /** What comes from outside comes at another time: here the kept order is changed for that. */
  @Test
  void orderThatCannotBeFollowedShouldBeGivenUp() throws IOException {
    Path threads = runOf("threads", "bug");
    Path kept = threads.resolve("schedule/threads-1");
    Files.writeString(kept, Files.readString(kept).replaceFirst("\n1 (\\d+)", "\n1 1$1"));

    Workbench.Said said = Workbench.powercut("replay", threads.toString());

    assertThat(said.errors())
        .contains(
            "the recorded schedule of threads cannot be followed beyond its turn 1, in process 1",
            "trying again with the threads in any order");
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
  }

  private static Path copyOfTheRun(String name) throws IOException {
    Path copy = workbench.directory().resolve(name);
    PathUtils.copyDirectory(run.toRealPath(), copy);
    return copy;
  }

  @Test
  void stateAndOccurrenceShouldGoTogether() {
    Path states = runWithStates("missing-fence");
    InjectionEvidence lost = Workbench.report(states).findings().get(0).injection().orElseThrow();
    String state = lost.state().orElseThrow().id();

    Workbench.Said same =
        Workbench.powercut(
            "replay",
            states.toString(),
            lost.failurePointId().toString(),
            "--state",
            state,
            "--occurrence",
            Long.toString(lost.occurrence()));
    assertThat(same.exitCode()).as(same.errors()).isEqualTo(1);

    Workbench.Said never =
        Workbench.powercut(
            "replay",
            states.toString(),
            lost.failurePointId().toString(),
            "--state",
            state,
            "--occurrence",
            "1000");
    assertThat(never.exitCode()).as(never.errors()).isEqualTo(4);
    assertThat(never.output())
        .contains("at occurrence 1000:")
        .containsPattern(
            "not reached again: the run had \\d+ of its occurrences, and this is number");
  }

  @Test
  void debuggerInTheTargetShouldTellWhatTheStateLost() {
    Path states = runWithStates("missing-fence");
    Path script = workbench.write("gdb-state", "bt\nkill\nquit\n");
    Workbench.Said said =
        workbench.powercutReading(script, "replay", states.toString(), "--gdb", "target");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .containsPattern("#\\d .*publish")
        .contains("the target's memory holds all stores", "pool, 64 bytes from 0x");
  }

  private static Path runWithStates(String program) {
    Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
    workbench.run(
        workbench.load(file, List.of("name=" + program, "parameters.program=" + program)), file);
    return workbench.runs().resolve(program + "/latest");
  }
}
