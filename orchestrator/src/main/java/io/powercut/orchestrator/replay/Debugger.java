// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.campaign.sections.TargetSection;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.TargetRunner;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.RunningCommand;
import io.powercut.recorder.OnStop;
import io.powercut.recorder.Recorder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.ControlFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.Signals;

/** Opens gdb for a person, on this terminal. */
final class Debugger {
  /** A person thinks longer than a program runs. */
  private static final Duration SESSION = Duration.ofDays(1);

  private static final String INTERRUPT = "INT";

  private static final long POLL_MILLISECONDS = 20;

  private final TargetSection section;
  private final TargetRunner target;
  private final RecoverySteps recovery;
  private final Supervisors supervisors;
  private final Resources resources;
  private final Progress progress;

  Debugger(
      TargetSection section,
      TargetRunner target,
      RecoverySteps recovery,
      Supervisors supervisors,
      Resources resources,
      Progress progress) {
    this.section = section;
    this.target = target;
    this.recovery = recovery;
    this.supervisors = supervisors;
    this.resources = resources;
    this.progress = progress;
  }

  /**
   * Opens gdb in a recovery step on a private copy of an image; the steps before it are run first.
   *
   * @param stepName the step that decided; the first one when there is none of that name
   */
  void onRecovery(JudgedImages images, String stepName) {
    try (ImageCopy copy = images.fresh();
        Supervisors.Loan loan = supervisors.borrow()) {
      List<RecoveryStep> steps =
          recovery.on(ExecutionDirectories.around(copy.directory(), images.acknowledged()));
      int decisive = 0;
      for (int index = 0; index < steps.size(); index++) {
        if (steps.get(index).name().equals(stepName)) {
          decisive = index;
        }
      }
      for (RecoveryStep before : steps.subList(0, decisive)) {
        CommandResult result = loan.supervisor().run(before.command());
        progress.note("step " + before.name() + ": " + result.ending().describe());
      }
      CommandSpec command = steps.get(decisive).command();
      List<String> gdb = new ArrayList<>(List.of("gdb", "-q", "--args"));
      gdb.addAll(command.arguments());
      interact(gdb, command);
    } catch (IOException e) {
      throw PowercutException.notTrustworthy("cannot open gdb on the image: " + e.getMessage());
    }
  }

  /** Runs the target to its leaf, where it stands still, and opens gdb on it. */
  void onTarget(Execution execution, RecorderOptions.Builder builder) {
    RecorderOptions options = builder.onStop(OnStop.GDB_SERVER).build();
    CommandSpec command = target.command(execution, options).toBuilder().timeLimit(SESSION).build();
    try (Supervisors.Loan loan = supervisors.borrow()) {
      RunningCommand running = loan.supervisor().start(command);
      try {
        progress.phase("running the target to the failure point");
        awaitStop(running, execution.trace());
        interact(gdbOnTarget(running, options), command);
      } finally {
        running.kill();
      }
    }
  }

  private List<String> gdbOnTarget(RunningCommand running, RecorderOptions options) {
    String program = section.command().arguments().get(0).text();
    List<String> gdb = new ArrayList<>(List.of("gdb", "-q"));
    if (program.contains("/") && !program.contains("{")) {
      gdb.add(program);
    }
    gdb.add("-ex");
    gdb.add(
        "target remote | vgdb --vgdb-prefix=%s --pid=%d"
            .formatted(Recorder.gdbPrefix(options), running.pid()));
    return gdb;
  }

  private void awaitStop(RunningCommand running, Path trace) {
    try {
      while (ControlFile.read(trace).flatMap(ControlFile::stopped).isEmpty()) {
        resources.checkInterrupted();
        if (!running.isRunning()) {
          throw PowercutException.notTrustworthy(
              "the failure point was not reached again: " + running.await().ending().describe());
        }
        Thread.sleep(POLL_MILLISECONDS);
      }
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    }
  }

  /**
   * gdb needs this terminal, which commands under a supervisor do not have. Ctrl-C there goes to
   * gdb and to us alike, and is meant for gdb.
   */
  private static void interact(List<String> gdb, CommandSpec like) {
    ProcessBuilder builder =
        new ProcessBuilder(gdb).directory(like.workingDirectory().toFile()).inheritIO();
    builder.environment().putAll(like.environment());
    Object usual = Signals.register(INTERRUPT, () -> {});
    try {
      builder.start().waitFor();
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot start gdb: " + e.getMessage() + ". Install it: apt-get install gdb");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    } finally {
      Signals.unregister(INTERRUPT, usual);
    }
  }
}
