// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads traces of a campaign's target. For one thread. */
public final class TraceReading {
  private final FailurePointsSection failurePoints;
  private final Observation observation;
  private boolean endsInside;

  /**
   * @param failurePoints where the target is tested
   * @param observation gets the trace
   */
  public TraceReading(FailurePointsSection failurePoints, Observation observation) {
    this.failurePoints = failurePoints;
    this.observation = observation;
  }

  /**
   * Reads a trace.
   *
   * @param tree to which its failure points are added
   * @param listener told of each failure point before the consumers get its instruction
   * @param others get the trace
   * @throws TraceException if it cannot be read to its end
   */
  public void read(
      TraceReader reader,
      FailurePointTree tree,
      FailurePointListener listener,
      List<TraceConsumer> others)
      throws TraceException {
    FailurePointDetector detector = FailurePointDetector.into(tree, observation.tables());
    if (failurePoints.begin().isPresent()) {
      detector = detector.waitingForBeginMark();
    }
    FailurePointListener told =
        (ordinal, stack, instruction, isNew) -> {
          observation.reached(ordinal, stack.id(), isNew);
          listener.reached(ordinal, stack, instruction, isNew);
        };
    detector = detector.telling(told);
    List<TraceConsumer> consumers = new ArrayList<>(List.of(observation.tables(), detector));
    consumers.addAll(observation.consumers());
    consumers.addAll(others);
    try {
      reader.read(consumers);
      endsInside = detector.isActive();
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the trace that was read ended between the marks, so that its end is a point at which
   * the power may be cut.
   */
  public boolean endsInside() {
    return endsInside;
  }
}
