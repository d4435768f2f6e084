// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.JudgedImages;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Which lines of an image recovery reads. */
public interface RecoveryReads {
  /**
   * The lines that recovery reads before it has written to them. Where that cannot be said for
   * sure, more.
   *
   * @param asked only of these will be asked, and of the bytes with a bit, the lowest for the first
   * @param effort how much it may take at most
   * @return nothing if it cannot be found out
   */
  Optional<ImageReads> on(JudgedImages images, Map<ImageLine, Long> asked, Effort effort)
      throws IOException;

  /**
   * What finds it out beside the judging of an image, for less than a run of its own.
   *
   * @return nothing if that is not possible
   */
  default Optional<ReadsWatch> besideJudging(Map<ImageLine, Long> asked, Effort effort) {
    return Optional.empty();
  }
}
