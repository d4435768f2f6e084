// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.oracle.ImageCopies;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.ExecutionDirectories;
import java.util.Optional;

/** Private copies of a crash image, each with what the target had acknowledged beside it. */
public interface JudgedImages extends ImageCopies {
  /**
   * What it had acknowledged; a fresh copy has it as a file ({@link
   * ExecutionDirectories#acknowledgedFile}). Nothing if the campaign does not ask for it.
   */
  Optional<Acknowledgement> acknowledged();

  /** What they may hold after recovery; nothing if that is not to be compared. */
  Optional<ExpectedDumps> expected();

  /** What is to be found out of recovery's reads when it runs on one; nothing if they are not. */
  default Optional<ReadsWatch> watch() {
    return Optional.empty();
  }
}
