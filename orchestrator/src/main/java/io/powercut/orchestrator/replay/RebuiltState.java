// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.campaign.Campaign;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.judging.EarlierImage;
import io.powercut.orchestrator.judging.MetadataInFlight;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.replay.FailurePointListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Builds the image of one crash state from another recording of the target. */
final class RebuiltState {
  private final Campaign campaign;
  private final InstrumentedRun target;
  private final Resources resources;
  private final WantedState wanted;
  private final Observation numbers = Observation.ofNumbers();
  private Result result = Result.NOT_REACHED;
  private long occurrences;

  /** What came of it. */
  enum Result {
    /** The image is there. */
    WRITTEN,
    /** The target did not reach the failure point. */
    NOT_REACHED,
    /** It did, but what was in flight there is not what the state lost. */
    NOT_POSSIBLE
  }

  /**
   * @param wanted the state; without lines, that of program order
   */
  RebuiltState(Campaign campaign, InstrumentedRun target, Resources resources, WantedState wanted) {
    this.campaign = campaign;
    this.target = target;
    this.resources = resources;
    this.wanted = wanted;
  }

  /** Ends the recording: the rest of the run is of no interest. */
  private static final class ReachedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Records the target up to a failure point.
   *
   * @param base the PM directory after set-up
   * @param directory gets the image
   * @param acknowledged gets what the target had acknowledged there
   * @return whether the image is there
   */
  Result at(Occurrence occurrence, Path base, Path directory, AcknowledgedLog acknowledged)
      throws IOException {
    try (PrivateDirectory pages = resources.area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages);
        MetadataInFlight metadata = new MetadataInFlight(state, campaign.domain())) {
      CacheLineTracker pending = new CacheLineTracker(campaign.domain(), state);
      FailurePointListener listener =
          (ordinal, stack, instruction, isNew) -> {
            if (stack.id().equals(occurrence.id()) && ++occurrences == occurrence.number()) {
              write(CrashStates.of(pending), state, metadata, directory);
              throw new ReachedException();
            }
          };
      target
          .run(
              base,
              InstrumentedRun.emptyTree(campaign),
              numbers,
              Following.of(
                  listener, List.of(pending, metadata, new ProgramOrder(state), acknowledged)))
          .close();
      if (occurrence.isEnd()) {
        write(CrashStates.of(pending), state, metadata, directory);
      }
    } catch (ReachedException e) {
      resources.checkInterrupted();
    }
    return result;
  }

  private void write(CrashStates states, PmState state, MetadataInFlight metadata, Path directory)
      throws IOException {
    result = Result.NOT_POSSIBLE;
    if (wanted.undone() > 0) {
      Optional<EarlierImage> earlier = metadata.without(wanted.undone());
      if (earlier.isPresent()) {
        earlier.get().image().writeTo(directory);
        result = Result.WRITTEN;
      }
      return;
    }
    try (CrashImage image = state.image()) {
      Optional<CrashState> found = wanted.in(states, image::nameOf);
      if (found.isPresent()) {
        try (CrashImage other = image.with(found.get())) {
          other.writeTo(directory);
        }
        result = Result.WRITTEN;
      }
    }
  }
}
