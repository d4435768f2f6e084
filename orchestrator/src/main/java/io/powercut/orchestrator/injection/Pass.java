// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.io.Closer;
import io.powercut.image.PmState;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.MetadataInFlight;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.QuiescentPoints;
import io.powercut.orchestrator.nestedcrash.RecoveryCrashChoice;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.TraceConsumer;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One replay of the trace with all that follows it. Closing it gives up what is not judged yet.
 *
 * @param state the files as they are; the caller closes it
 * @param acknowledged what the target has acknowledged
 * @param pending what else a crash may leave
 * @param metadata what changes of metadata a crash may undo; nothing where that is not tried
 * @param recent what happened last
 * @param quiet where contents may be compared; nothing if they are not
 * @param chosen images on which recovery is to be cut
 * @param workers judge
 * @param closer closes all but the state
 */
record Pass(
    PmState state,
    AcknowledgedLog acknowledged,
    CacheLineTracker pending,
    Optional<MetadataInFlight> metadata,
    RecentEvents recent,
    Optional<QuiescentPoints> quiet,
    RecoveryCrashChoice chosen,
    ImageWorkers workers,
    Closer closer)
    implements Closeable {

  /**
   * What gets each record, after the failure-point detector: the model of stores looks at the files
   * before.
   *
   * @param needsInFlight whether it must be known which lines are in flight
   */
  List<TraceConsumer> followers(boolean needsInFlight, Budget budget) {
    List<TraceConsumer> followers = new ArrayList<>();
    if (needsInFlight) {
      followers.add(pending);
      followers.add(recent);
    }
    metadata.ifPresent(followers::add);
    followers.add(new ProgramOrder(state));
    followers.add(acknowledged);
    quiet.ifPresent(followers::add);
    followers.add(watch(budget));
    return followers;
  }

  /** Notices the end of the budget and of a worker while the target does nothing new. */
  private TraceConsumer watch(Budget budget) {
    return new TraceConsumer() {
      @Override
      public void caughtUp() {
        workers.check();
        if (!budget.isTimeLeft()) {
          throw new BudgetSpentException();
        }
      }
    };
  }

  /**
   * What changes of metadata may be undone at a failure point that is reached, and are worth being
   * tried there; to be closed.
   */
  MetadataLosses losses() {
    return metadata
        .map(changes -> changes.atFailurePoint(acknowledged.now()))
        .orElse(MetadataLosses.NONE);
  }

  /** The same, where none is to be tried. */
  MetadataLosses untriedLosses() {
    return metadata.map(MetadataInFlight::untried).orElse(MetadataLosses.NONE);
  }

  /** The same when the target has ended. */
  MetadataLosses lossesAtTheEnd() {
    return metadata
        .map(changes -> changes.atTheEnd(acknowledged.now()))
        .orElse(MetadataLosses.NONE);
  }

  /** Whether images wait until the contents around them are known. */
  boolean isAwaited() {
    return quiet.map(QuiescentPoints::isAwaited).orElse(false);
  }

  /**
   * Hands an occurrence to the workers, at once or when the contents around it are known.
   *
   * @param beside what else may be left there
   */
  void submit(Occurrence occurrence, Due due, Beside beside) throws IOException {
    if (due == Due.IMAGE && quiet.isEmpty()) {
      // An equal image that is known already is not even taken.
      workers.submit(occurrence, state, acknowledged.now(), beside, recent);
      return;
    }
    Consumer<CrashPoint> taker = due == Due.IMAGE ? workers::submit : workers::submitStates;
    Optional<Acknowledgement> now = acknowledged.now();
    CrashPoint point =
        new CrashPoint(
            occurrence,
            state.image(),
            now,
            beside.states(),
            beside.candidates(),
            recent.now(),
            Optional.empty(),
            beside.losses(),
            Optional.empty());
    if (quiet.isPresent()) {
      quiet.get().await(point, taker);
    } else {
      taker.accept(point);
    }
  }

  /** Waits until all that was submitted is judged, or the time is spent. */
  void finish(Budget budget) throws IOException {
    if (quiet.isPresent()) {
      quiet.get().end();
    }
    workers.finish(budget);
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
