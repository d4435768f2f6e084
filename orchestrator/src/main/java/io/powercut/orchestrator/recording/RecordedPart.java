// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import io.powercut.report.rundir.Shard;
import io.powercut.tree.FailurePointId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done with a recording.
 *
 * @param recording which one
 * @param shard the part of its failure points to judge; nothing once the parts are merged, for what
 *     is done once
 * @param missing of merged parts: those that were not judged
 * @param time how long judging may take, when the campaign's own limit is not less
 * @param parallel how many recoveries run at a time, from 1; what the campaign says if nothing
 */
public record RecordedPart(
    StoredRecording recording,
    Optional<Shard> shard,
    List<Shard> missing,
    Optional<Duration> time,
    Optional<Integer> parallel) {
  /** Copies the list. */
  public RecordedPart {
    missing = List.copyOf(missing);
  }

  /** What is left when all parts have been merged. */
  public static RecordedPart last(StoredRecording recording, List<Shard> missing) {
    return new RecordedPart(
        recording, Optional.empty(), missing, Optional.empty(), Optional.empty());
  }

  /** Whether all parts have been merged. */
  public boolean isLast() {
    return shard.isEmpty();
  }

  /** What to do after an interruption, in words. */
  public String howToContinue() {
    return isLast()
        ? "to do all of it, merge the parts again"
        : "to judge all of this part, run the command again with another folder for --into";
  }

  /**
   * Whether a failure point is to be judged here. When the parts are merged only recovery is still
   * to be cut: on which images can be chosen only then.
   */
  public boolean judges(FailurePointId id) {
    return shard
        .map(part -> part.contains(id))
        .orElseGet(
            () ->
                recording.campaign().cutsRecovery()
                    && missing.stream().noneMatch(part -> part.contains(id)));
  }
}
