// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.CrashImage;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.trace.Location;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An occurrence of a failure point with all that can be judged there.
 *
 * @param occurrence where the power is cut
 * @param image the program-order image
 * @param acknowledged what the target had acknowledged
 * @param states what else may be left
 * @param candidates those of them that are to be judged
 * @param recent what happened last before it, the oldest first
 * @param between the acknowledgements around it; nothing if contents are not compared
 * @param losses what changes of metadata may be undone there
 * @param again where recovery was cut on what the first cut had left, so that image and states are
 *     what that leaves; nothing if it was not
 */
public record CrashPoint(
    Occurrence occurrence,
    CrashImage image,
    Optional<Acknowledgement> acknowledged,
    CrashStates states,
    Candidates candidates,
    List<Happening> recent,
    Optional<Between> between,
    MetadataLosses losses,
    Optional<RecoveryCrash> again)
    implements AutoCloseable {
  /** The same, once it is known what lies around it; only one of both is to be closed. */
  CrashPoint between(Between around) {
    return new CrashPoint(
        occurrence,
        image,
        acknowledged,
        states,
        candidates,
        recent,
        Optional.of(around),
        losses,
        again);
  }

  /** The failure point of the last cut: that of recovery, if it was cut. */
  public Occurrence lastCut() {
    return again
        .map(cut -> new Occurrence(cut.failurePointId(), cut.occurrence()))
        .orElse(occurrence);
  }

  /** What it may hold after recovery; nothing if that is not compared. */
  public Optional<ExpectedDumps> expected(CrashImageJudge judge, RecordedImages places) {
    return between.map(around -> around.expected(judge, places));
  }

  @Override
  public void close() {
    image.close();
    between.ifPresent(Between::close);
    losses.close();
  }

  /** The path below the PM directory that a location's file has now; later it may be renamed. */
  public String pathOf(long location) {
    return image.nameOf(Location.file(location)).map(Path::toString).orElse("");
  }
}
