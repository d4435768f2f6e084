// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.nestedcrash.CutRecovery;
import io.powercut.orchestrator.session.Progress;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.RecoveryCrash;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Builds the image that a crash during recovery leaves from another recording of recovery. */
final class RebuiltSecond {
  private final CutRecovery recovery;
  private final Progress progress;
  private final RecoveryCrash wanted;
  private final WantedState state;
  private boolean isThere;
  private boolean isWritten;

  /**
   * @param wanted where recovery is cut
   * @param state what that leaves; without lines, program order
   */
  RebuiltSecond(CutRecovery recovery, Progress progress, RecoveryCrash wanted, WantedState state) {
    this.recovery = recovery;
    this.progress = progress;
    this.wanted = wanted;
    this.state = state;
  }

  /**
   * Records recovery.
   *
   * @param images of the first crash
   * @param directory gets the image of the second
   * @return false if recovery did not reach it, or the state was not possible there
   */
  boolean on(JudgedImages images, Path directory) throws IOException {
    CutRecovery.Cuts cuts =
        new CutRecovery.Cuts() {
          @Override
          public boolean wants(
              CutRecovery.Point point, PmState files, Supplier<CrashStates> states) {
            boolean isIt =
                !isThere
                    && point.step().equals(wanted.step())
                    && point.place().equals(wanted.place());
            isThere |= isIt;
            return isIt;
          }

          @Override
          public void take(CutRecovery.Point point, CutRecovery.Left left) throws IOException {
            Optional<CrashState> found = state.in(left.states(), left.image()::nameOf);
            if (found.isPresent()) {
              try (CrashImage image = left.image().with(found.get())) {
                image.writeTo(directory);
              }
              isWritten = true;
            }
          }
        };
    recovery.follow(images, cuts).ifPresent(progress::note);
    return isWritten;
  }
}
