package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.report.InjectionEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A finding, taken up again by its developer. */
class ReplayTest {
  private static Workbench workbench;
  private static Path run;
  private static InjectionEvidence finding;

  @BeforeAll
  static void findSomething() {
    Workbench.make("bugs");
    workbench = Workbench.open();
    run = runOf("recovery-crash", "bug");
    finding = Workbench.report(run).findings().get(0).injection().orElseThrow();
  }

  @AfterAll
  static void close() {
    workbench.close();
  }

  @AfterEach
  void nothingShouldBeLeft() {
    assertThat(workbench.processesLeft()).isEmpty();
    assertThat(workbench.filesLeft()).isEmpty();
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
        .contains("power cut in front of " + finding.instruction())
        .containsPattern("add at .*recovery-crash\\.c:\\d+")
        .contains("verdict  crashed: " + finding.seen())
        .containsPattern("recovery crashed:\n  read_value at .*recovery-crash\\.c:\\d+");
    assertThat(run.toRealPath().resolve("replay/" + finding.failurePointId() + "/pool")).exists();
  }

  @Test
  void commandOfTheFindingShouldReplayIt() {
    List<String> command = List.of(finding.replay().split(" "));

    assertThat(command.get(0)).endsWith("/powercut");
    assertThat(command.get(1)).isEqualTo("replay");
    assertThat(command).endsWith(finding.failurePointId());
    Workbench.Said said =
        Workbench.powercut(command.subList(1, command.size()).toArray(String[]::new));
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
  }

  @Test
  void beginningOfAnIdShouldDoAndTheImageShouldBeThatOfTheFinding() throws IOException {
    Path kept = workbench.directory().resolve("kept");
    Workbench.Said said =
        replay(finding.failurePointId().substring(0, 6), "--keep", kept.toString());

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
            .failurePointId();
    Workbench.Said said = replay(healthy);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("verdict  consistent");
  }

  @Test
  void directoryWithFilesShouldNotBeOverwritten() throws IOException {
    Path kept = Files.createDirectory(workbench.directory().resolve("full"));
    Files.writeString(kept.resolve("precious"), "mine");
    Workbench.Said said = replay("--keep", kept.toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains(kept.toString(), "is not empty");
    assertThat(kept.resolve("precious")).hasContent("mine");
  }

  @Test
  void unknownIdShouldBeRefusedWithTheWayToFindOne() {
    Workbench.Said said = replay("ffffffffffffffff");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("ffffffffffffffff", "powercut tree");
  }

  @Test
  void ambiguousIdShouldBeRefused() {
    Set<String> ids = new TreeSet<>();
    Workbench.tree(run).failurePoints().forEach(point -> ids.add(point.id().toString()));
    assertThat(ids).hasSizeGreaterThan(1);
    Workbench.Said said = replay("");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("more than one");
  }

  @Test
  void runWithoutFindingsShouldSaySo() {
    Path healthy = runOf("recovery-crash", "correct");
    Workbench.Said said = Workbench.powercut("replay", healthy.toString());

    assertThat(said.exitCode()).isEqualTo(3);
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
}
