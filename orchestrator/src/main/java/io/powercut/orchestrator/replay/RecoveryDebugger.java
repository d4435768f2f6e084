// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Progress;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opens gdb in a recovery step on a crash image. */
final class RecoveryDebugger {
  private final RecoverySteps recovery;
  private final Progress progress;
  private final DebuggerSession session;

  RecoveryDebugger(RecoverySteps recovery, Progress progress, DebuggerSession session) {
    this.recovery = recovery;
    this.progress = progress;
    this.session = session;
  }

  /**
   * Opens gdb in a recovery step on a private copy of an image; the steps before it are run first.
   *
   * @param stepName the step that decided; the first one when there is none of that name
   */
  void open(JudgedImages images, String stepName) {
    try (ImageCopy copy = images.fresh()) {
      List<RecoveryStep> steps =
          recovery.on(ExecutionDirectories.around(copy.directory(), images.acknowledged()));
      int decisive = decisive(steps, stepName);
      for (RecoveryStep before : steps.subList(0, decisive)) {
        CommandResult result = recovery.run(before).result();
        progress.note("step " + before.name() + ": " + result.ending().describe());
      }
      CommandSpec command = steps.get(decisive).command();
      List<String> gdb = new ArrayList<>(List.of("gdb", "-q", "--args"));
      gdb.addAll(command.arguments());
      session.open(gdb, command);
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot open gdb on the image: " + FileProblem.of(e).text());
    }
  }

  private static int decisive(List<RecoveryStep> steps, String stepName) {
    int decisive = 0;
    for (int index = 0; index < steps.size(); index++) {
      if (steps.get(index).name().equals(stepName)) {
        decisive = index;
      }
    }
    return decisive;
  }
}
