// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.campaign.sections.TargetSection;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.TargetRunner;
import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
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

/** Opens gdb in the target, which stands still at a failure point. */
final class TargetDebugger {
  /** A person thinks longer than a program runs. */
  private static final Duration SESSION = Duration.ofDays(1);

  private static final long POLL_MILLISECONDS = 20;

  private final TargetSection section;
  private final TargetRunner target;
  private final Supervisors supervisors;
  private final Resources resources;
  private final Progress progress;
  private final DebuggerSession session;

  TargetDebugger(
      TargetSection section,
      TargetRunner target,
      Supervisors supervisors,
      Resources resources,
      Progress progress,
      DebuggerSession session) {
    this.section = section;
    this.target = target;
    this.supervisors = supervisors;
    this.resources = resources;
    this.progress = progress;
    this.session = session;
  }

  /**
   * Runs the target to its leaf and opens gdb on it; afterwards the target is killed.
   *
   * @throws PowercutException if it ends without having reached the leaf
   */
  void open(Execution execution, RecorderOptions.Builder builder) {
    RecorderOptions options = builder.onStop(OnStop.GDB_SERVER).build();
    CommandSpec command = target.command(execution, options).toBuilder().timeLimit(SESSION).build();
    try (Supervisors.Loan loan = supervisors.borrow()) {
      RunningCommand running = loan.supervisor().start(command);
      try {
        progress.phase("running the target to the failure point");
        awaitStop(running, execution.trace());
        session.open(gdb(running, options), command);
      } finally {
        running.kill();
      }
    }
  }

  private List<String> gdb(RunningCommand running, RecorderOptions options) {
    String program = section.command().arguments().get(0).text();
    List<String> gdb = new ArrayList<>(List.of("gdb", "-q"));
    if (program.contains("/") && !program.contains("{")) {
      gdb.add(program);
    }
    gdb.add("-ex");
    gdb.add(
        "target remote | %s --vgdb-prefix=%s --pid=%d"
            .formatted(vgdb(), Recorder.gdbPrefix(options), running.pid()));
    return gdb;
  }

  /** For a shell: gdb has one start it. */
  private static String vgdb() {
    return Recorder.packaged(PowercutHome.find(), "vgdb")
        .map(program -> "'" + program.toString().replace("'", "'\\''") + "'")
        .orElse("vgdb");
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
}
