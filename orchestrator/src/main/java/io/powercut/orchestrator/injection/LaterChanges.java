// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.collect.Sets;
import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.differences.RecentChanges;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.TraceReader;
import io.powercut.tree.FailurePointId;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What changed before occurrences that are not the first of their failure points. While the target
 * runs, this is remembered of first ones alone: most others are never judged. So the stored trace
 * is read once more for those that showed bugs.
 */
public final class LaterChanges {
  private final Campaign campaign;
  private final Observation observation;
  private final Set<Occurrence> known = new HashSet<>();

  /**
   * @param observation gets to know the changes, if it watches stores
   */
  public LaterChanges(Campaign campaign, Observation observation) {
    this.campaign = campaign;
    this.observation = observation;
  }

  /** Those of which it is not known, and could be; none where stores are not watched. */
  Set<Occurrence> missing(Set<Occurrence> wanted) {
    return observation.watchesStores() ? Set.copyOf(Sets.difference(wanted, known)) : Set.of();
  }

  /**
   * Reads the trace.
   *
   * @param missing occurrences of the recorded run
   */
  public void read(Path stored, Set<Occurrence> missing) throws TraceException {
    RecentChanges collector = observation.changes().newCollector();
    Object2LongOpenHashMap<FailurePointId> counts = new Object2LongOpenHashMap<>();
    new TraceReading(campaign.failurePoints(), Observation.ofNumbers())
        .read(
            TraceReader.of(stored),
            InstrumentedRun.emptyTree(campaign),
            (ordinal, stack, instruction, isNew) -> {
              Occurrence here = new Occurrence(stack.id(), counts.addTo(stack.id(), 1) + 1);
              if (missing.contains(here)) {
                collector.reached(ordinal, here);
              } else {
                collector.reached(ordinal);
              }
            },
            List.of(collector));
    known.addAll(missing);
  }
}
