package io.powercut.orchestrator.run;

import io.powercut.orchestrator.campaign.OccurrencesSection;
import io.powercut.orchestrator.results.Visit;
import io.powercut.tree.FailurePointId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Counts the visits of each failure point and chooses those to judge: the first ones while they
 * come, the last ones and some by chance from between when the run is over.
 */
final class VisitChoice {
  private final OccurrencesSection wanted;
  private final Map<FailurePointId, long[]> visits = new HashMap<>();

  VisitChoice(OccurrencesSection wanted) {
    this.wanted = wanted;
  }

  /** Counts a visit and gives its number, from 1. */
  long count(FailurePointId id) {
    return ++visits.computeIfAbsent(id, unknown -> new long[1])[0];
  }

  /** Whether a visit of this number is judged as soon as it comes. */
  boolean isFirst(long number) {
    return number <= wanted.first();
  }

  /** The other visits to judge, now that all have been counted. */
  Set<Visit> later() {
    Set<Visit> later = new HashSet<>();
    visits.forEach((id, count) -> addLater(later, id, count[0]));
    return later;
  }

  private void addLater(Set<Visit> later, FailurePointId id, long count) {
    long firstOfTheLast = Math.max(wanted.first(), count - wanted.last()) + 1;
    for (long number = firstOfTheLast; number <= count; number++) {
      later.add(new Visit(id, number));
    }
    long between = firstOfTheLast - 1 - wanted.first();
    SplittableRandom random = new SplittableRandom(wanted.seed() ^ id.value());
    Set<Long> chosen = new HashSet<>();
    while (chosen.size() < Math.min(wanted.random(), between)) {
      chosen.add(wanted.first() + 1 + random.nextLong(between));
    }
    chosen.forEach(number -> later.add(new Visit(id, number)));
  }
}
