// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.process.CommandResult;
import io.powercut.trace.file.ControlFile;
import java.util.Optional;

/**
 * How an execution of the target ended.
 *
 * @param result the target's own end
 * @param problem why it is not a success; empty when it is one
 * @param control what the recorder said, if it got so far
 */
public record TargetOutcome(
    CommandResult result, Optional<String> problem, Optional<ControlFile> control) {

  /**
   * Checks that its threads ran in the recorded order, if they had to.
   *
   * @throws ScheduleLostException if they could not
   */
  public void requireSchedule() {
    boolean isLost =
        control
            .flatMap(ControlFile::error)
            .filter(error -> error.kind() == ControlFile.ErrorKind.SCHEDULE)
            .isPresent();
    if (isLost) {
      throw new ScheduleLostException(describe());
    }
  }

  /** Whether the recorder could do its work. */
  boolean isRecorded() {
    return control.isPresent() && control.get().error().isEmpty();
  }

  /** In words, for a message. */
  public String describe() {
    return problem.orElse("the target ended normally, without reaching it");
  }
}
