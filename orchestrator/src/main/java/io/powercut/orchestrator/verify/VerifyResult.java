// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.exit.ExitCode;
import io.powercut.tree.FailurePoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the comparison of both ways came to.
 *
 * @param identical failure points whose images are equal byte for byte
 * @param different failure points whose images differ
 * @param onlyRecorded failure points that only the recorded run came by
 * @param onlyReExecuted failure points that only the re-executed run came by
 * @param notCompared why images of failure points that both ways know could not be compared
 * @param equalVerdicts failure points with the same verdict both ways
 * @param verdictDifferences failure points with different ones
 * @param verdictsNotCompared why verdicts could not be compared
 * @param first the first difference between images, examined
 * @param recordingsDiffer whether a second recording, made when the ways differ, was not like the
 *     first
 */
public record VerifyResult(
    int identical,
    int different,
    List<FailurePoint> onlyRecorded,
    List<FailurePoint> onlyReExecuted,
    Map<FailurePoint, String> notCompared,
    int equalVerdicts,
    List<VerdictDifference> verdictDifferences,
    Map<FailurePoint, String> verdictsNotCompared,
    Optional<LeafDifference> first,
    boolean recordingsDiffer) {
  /** Copies the collections. */
  public VerifyResult {
    onlyRecorded = List.copyOf(onlyRecorded);
    onlyReExecuted = List.copyOf(onlyReExecuted);
    notCompared = Map.copyOf(notCompared);
    verdictDifferences = List.copyOf(verdictDifferences);
    verdictsNotCompared = Map.copyOf(verdictsNotCompared);
  }

  /** How many failure points there are, all together. */
  public int leaves() {
    return identical + different + onlyRecorded.size() + onlyReExecuted.size() + notCompared.size();
  }

  /** Whether anything was seen that differs. */
  public boolean differs() {
    return different > 0
        || !onlyRecorded.isEmpty()
        || !onlyReExecuted.isEmpty()
        || !verdictDifferences.isEmpty();
  }

  /** Where the differences come from. */
  public Origin origin() {
    if (!differs()) {
      return Origin.NOWHERE;
    }
    Optional<Cause> cause = first.map(LeafDifference::cause);
    boolean runsDiffer = different > 0 || !onlyRecorded.isEmpty() || !onlyReExecuted.isEmpty();
    if (!runsDiffer) {
      return Origin.RECOVERY;
    }
    boolean isOfTarget = recordingsDiffer || cause.equals(Optional.of(Cause.TARGET));
    return isOfTarget && !cause.equals(Optional.of(Cause.POWERCUT))
        ? Origin.TARGET
        : Origin.POWERCUT;
  }

  private ExitCode exitCodeWithoutDifference() {
    if (leaves() == 0) {
      return ExitCode.NOT_TRUSTWORTHY;
    }
    return notCompared.isEmpty() && verdictsNotCompared.isEmpty()
        ? ExitCode.NOTHING_NEW
        : ExitCode.INCOMPLETE;
  }

  /** A mistake of ours outweighs what could not be compared, as a target that varies cannot. */
  public ExitCode exitCode() {
    return switch (origin()) {
      case POWERCUT -> ExitCode.NOT_TRUSTWORTHY;
      case TARGET, RECOVERY -> ExitCode.INCOMPLETE;
      case NOWHERE -> exitCodeWithoutDifference();
    };
  }
}
