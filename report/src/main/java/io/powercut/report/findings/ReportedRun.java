// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A run with all that its report can be written from.
 *
 * @param report its result
 * @param tree its failure points
 * @param verdicts the most telling verdict of each failure point that has one, by its identity
 * @param directory where the run is kept, absolute; images of findings are named relative to it
 */
public record ReportedRun(
    Report report, FailurePointTree tree, Map<FailurePointId, Judgement> verdicts, Path directory) {
  /** Copies the map. */
  public ReportedRun {
    verdicts = Map.copyOf(verdicts);
  }

  /** What recovery made of the image at a failure point; nothing when it was not judged. */
  public Optional<Judgement> verdict(FailurePointId failurePoint) {
    return Optional.ofNullable(verdicts.get(failurePoint));
  }
}
