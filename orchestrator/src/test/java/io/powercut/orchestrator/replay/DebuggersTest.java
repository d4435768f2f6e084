// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.judging.CopiedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.orchestrator.target.TargetRunner;
import io.powercut.process.CommandSpec;
import io.powercut.recorder.OnStop;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.LeavesFile;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What gdb is opened on, with a session that only looks at it. */
class DebuggersTest {
  @RegisterExtension private final HandRun run = HandRun.open();
  private final Supervisors supervisors = new Supervisors();
  private final List<String> opened = new ArrayList<>();
  private final List<Boolean> seen = new ArrayList<>();

  @AfterEach
  void close() {
    supervisors.close();
  }

  private RecoverySteps steps(Campaign campaign) {
    return new RecoverySteps(
        new Commands(campaign, run.folder()),
        supervisors,
        (plain, options) -> plain,
        campaign.limits().memory());
  }

  private void openOnRecovery(String step) throws IOException {
    Campaign campaign =
        run.campaign(
            "recovery: [{name: redo, command: [touch, '{pm}/redone']},"
                + " {name: check, command: [test, -f, '{pm}/redone']}]\n");
    CopiedImages images = new CopiedImages(run.base(), Optional.empty(), run.resources().area());
    DebuggerSession session =
        (gdb, like) -> {
          opened.addAll(gdb);
          seen.add(Files.exists(Path.of(gdb.get(gdb.size() - 1)).resolveSibling("redone")));
        };
    new RecoveryDebugger(steps(campaign), Progress.SILENT, session).open(images, step);
  }

  @Test
  void stepsBeforeTheDecisiveOneShouldHaveRunOnACopyOfTheImage() throws IOException {
    openOnRecovery("check");

    assertThat(opened).startsWith("gdb", "-q", "--args", "test", "-f").hasSize(6);
    assertThat(seen).containsExactly(true);
    assertThat(run.base().resolve("redone")).doesNotExist();
  }

  @Test
  void firstStepShouldBeOpenedWhereTheStepIsNotKnown() throws IOException {
    openOnRecovery("");

    assertThat(opened).startsWith("gdb", "-q", "--args", "touch").hasSize(5);
    assertThat(seen).containsExactly(false);
  }

  private void openOnTarget(String target, boolean reachesLeaf, DebuggerSession session)
      throws IOException {
    Campaign campaign = run.campaign("target: {command: %s}\n".formatted(target));
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    tree.reach(TargetByHand.stack(11), Instruction.CLWB, 1);
    Path leaves = LeavesFile.write(run.folder().resolve("leaves"), tree).path();
    TargetRunner runner =
        new TargetRunner(
            campaign,
            new Commands(campaign, run.folder()),
            supervisors,
            (plain, options) -> {
              assertThat(options.onStop()).isEqualTo(OnStop.GDB_SERVER);
              record(options, reachesLeaf ? options.leaves() : Optional.empty());
              return plain;
            });
    try (Execution execution = Execution.startingFrom(run.base(), run.resources().area())) {
      RecorderOptions.Builder options =
          RecorderOptions.recording(execution.places().pm(), execution.trace()).leaves(leaves);
      new TargetDebugger(
              campaign.target(), runner, supervisors, run.resources(), Progress.SILENT, session)
          .open(execution, options);
      opened.add(Recorder.gdbPrefix(options.build()).toString());
    }
  }

  private static void record(RecorderOptions options, Optional<Path> leaves) {
    try {
      new TargetByHand(calls -> calls.store(10, 0, 1).flush(11, 0))
          .record(options.pmDirectory(), options.traceDirectory(), leaves);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long pid(String remote) {
    return Long.parseLong(remote.substring(remote.indexOf("--pid=") + "--pid=".length()));
  }

  private static boolean runs(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @Test
  void gdbShouldBeOpenedOnTheTargetWhereItStandsAndTheTargetThenBeKilled() throws IOException {
    openOnTarget(
        "[/bin/sleep, '600']",
        true,
        (gdb, like) -> {
          opened.addAll(gdb);
          seen.add(runs(pid(gdb.get(4))));
        });

    assertThat(opened).startsWith("gdb", "-q", "/bin/sleep", "-ex").hasSize(6);
    assertThat(opened.get(4)).startsWith("target remote | vgdb --vgdb-prefix=" + opened.get(5));
    assertThat(seen).containsExactly(true);
    assertThat(runs(pid(opened.get(4)))).isFalse();
  }

  @Test
  void programThatIsFoundByPathShouldBeLeftForGdbToFind() throws IOException {
    openOnTarget("[sleep, '600']", true, (gdb, like) -> opened.addAll(gdb));

    assertThat(opened).startsWith("gdb", "-q", "-ex");
  }

  @Test
  void targetThatEndsBeforeTheFailurePointShouldOpenNoDebugger() {
    assertThatThrownBy(() -> openOnTarget("['true']", false, (gdb, like) -> opened.addAll(gdb)))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("the failure point was not reached again: it exited with code 0");
    assertThat(opened).isEmpty();
  }

  @Test
  void sessionShouldHaveTheDirectoryAndTheEnvironmentOfTheCommand() throws IOException {
    Path place = Files.createDirectory(run.folder().resolve("place"));
    CommandSpec like =
        CommandSpec.command("true").workingDirectory(place).environment("WHERE", "here").build();
    new DebuggerOnTerminal().open(List.of("sh", "-c", "echo $WHERE > said"), like);

    assertThat(place.resolve("said")).hasContent("here");
    assertThatThrownBy(() -> new DebuggerOnTerminal().open(List.of("no-such-gdb"), like))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("Install it: apt-get install gdb");
  }
}
