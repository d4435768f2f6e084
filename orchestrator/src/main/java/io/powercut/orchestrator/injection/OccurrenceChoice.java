// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Counts the occurrences of each failure point and chooses those to judge: the first ones while
 * they come, the others when the run is over and it is known what there was.
 *
 * <p>Where the campaign leaves it to Powercut, these others are the last one of each failure point,
 * and those at which other instructions have stores in flight than at all before: the program came
 * another way, or did not persist what it persisted otherwise.
 */
public final class OccurrenceChoice {
  /** Occurrences that are judged at a time for what is in flight. */
  private static final int MOST_NEW = 32;

  /** So often in a run. */
  private static final int MOST_TIMES = 8;

  /**
   * Different sets of in-flight stores that are remembered of one failure point: a program that
   * persists everything in one place has all its mistakes there.
   */
  private static final int MOST_SETS = MOST_NEW * MOST_TIMES;

  /** The same where very many are remembered of all. */
  private static final int FEW_SETS = 16;

  private static final int VERY_MANY = 1 << 16;

  private final OccurrencesSection wanted;
  private final Map<FailurePointId, Occurrences> occurrences = new HashMap<>();
  private final Set<FailurePointId> last = new HashSet<>();
  private long newSets;

  /**
   * How often the same was in flight that had not been in flight at the occurrence before, or the
   * reverse. What one line of code leaves behind shows at many failure points after it.
   */
  private final Map<Long, Integer> differences = new HashMap<>();

  /** Differences that follow from these show nothing new: several mistakes left stores behind. */
  private final Span span = new Span();

  /**
   * The first occurrence with a set of in-flight stores, but for the very first.
   *
   * @param follows whether its difference is made of those that other sets had before
   * @param times how often the same difference made a new set elsewhere, before
   * @param rank which new set of this failure point it is
   */
  private record NewSet(Occurrence occurrence, boolean follows, int times, int rank, long order) {}

  private final List<NewSet> news = new ArrayList<>();
  private int times;

  /** Of one failure point. */
  private static final class Occurrences {
    private final Set<Long> sets = new HashSet<>(2);
    private final Set<Long> chosen = new HashSet<>(2);
    private long count;

    /** What was in flight at the last one. */
    private long last;

    boolean isLeft() {
      return chosen.size() < count;
    }

    /** One that was not chosen yet, each as likely as any other. */
    long any(SplittableRandom random) {
      if (chosen.size() < count / 2) {
        long number = 1 + random.nextLong(count);
        while (chosen.contains(number)) {
          number = 1 + random.nextLong(count);
        }
        return number;
      }
      long skipped = random.nextLong(count - chosen.size());
      long number = 1;
      while (chosen.contains(number) || skipped-- > 0) {
        number++;
      }
      return number;
    }
  }

  public OccurrenceChoice(OccurrencesSection wanted) {
    this.wanted = wanted;
  }

  /**
   * Counts an occurrence.
   *
   * @param inFlight which instructions have stores in flight there, as a number
   * @return the occurrence's number, from 1
   */
  public long count(FailurePointId id, long inFlight) {
    Occurrences those = occurrences.computeIfAbsent(id, unknown -> new Occurrences());
    those.count++;
    if (isFirst(those.count)) {
      those.chosen.add(those.count);
    }
    int most = news.size() < VERY_MANY ? MOST_SETS : FEW_SETS;
    if (those.sets.size() < most && those.sets.add(inFlight) && those.count > 1) {
      long difference = those.last ^ inFlight;
      int times = differences.merge(difference, 1, Integer::sum);
      news.add(
          new NewSet(
              new Occurrence(id, those.count),
              !span.add(difference),
              times,
              those.sets.size(),
              newSets++));
    }
    those.last = inFlight;
    return those.count;
  }

  /** Has all occurrences of a failure point judged behind those of others. */
  void judgeLast(FailurePointId id) {
    last.add(id);
  }

  /** Whether they are. */
  boolean isLast(FailurePointId id) {
    return last.contains(id);
  }

  /** Whether an occurrence of this number is judged as soon as it comes. */
  public boolean isFirst(long number) {
    return number <= wanted.firsts();
  }

  /** How many were chosen so far. */
  long chosen() {
    return occurrences.values().stream().mapToLong(those -> those.chosen.size()).sum();
  }

  /**
   * Those at which something new is in flight. First come differences that are not made of earlier
   * ones, then each of the others once before any of them twice, and of each failure point its
   * first before any has a second one. Those of failure points that are judged last are behind all
   * others. The first call gives as many as any run judges, and each further one as many again, up
   * to a bound for the run. Nothing is counted any more by then.
   */
  Set<Occurrence> withOtherStores() {
    Set<Occurrence> others = new LinkedHashSet<>();
    if (wanted.isLeftToPowercut() && times < MOST_TIMES) {
      news.stream()
          .sorted(
              Comparator.comparing((NewSet set) -> isLast(set.occurrence().id()))
                  .thenComparing(NewSet::follows)
                  .thenComparingInt(NewSet::times)
                  .thenComparingInt(NewSet::rank)
                  .thenComparingLong(NewSet::order))
          .skip((long) MOST_NEW * times++)
          .limit(MOST_NEW)
          .map(NewSet::occurrence)
          .forEach(occurrence -> choose(occurrence, others));
    }
    return others;
  }

  /** The others that are to be judged in any case. */
  Set<Occurrence> later() {
    Set<Occurrence> later = new HashSet<>();
    occurrences.forEach(
        (id, those) -> {
          for (long number = Math.max(1, those.count - wanted.lasts() + 1);
              number <= those.count;
              number++) {
            choose(new Occurrence(id, number), later);
          }
          SplittableRandom random = new SplittableRandom(wanted.seed() ^ id.value());
          for (int taken = 0; taken < wanted.byChance() && those.isLeft(); taken++) {
            choose(new Occurrence(id, those.any(random)), later);
          }
        });
    return later;
  }

  private Occurrences counted(FailurePointId id) {
    return requireNonNull(occurrences.get(id), "a failure point that was not counted");
  }

  /** Takes an occurrence to judge it as soon as it comes; whether it was not taken before. */
  boolean take(Occurrence occurrence) {
    return counted(occurrence.id()).chosen.add(occurrence.number());
  }

  private void choose(Occurrence occurrence, Set<Occurrence> into) {
    if (counted(occurrence.id()).chosen.add(occurrence.number())) {
      into.add(occurrence);
    }
  }

  /**
   * Further occurrences at random, as many of one failure point as of another where there are so
   * many; none that was chosen before.
   *
   * @param most how many at most
   * @param of of which failure points
   */
  Set<Occurrence> further(long most, Predicate<FailurePointId> of) {
    SplittableRandom random = new SplittableRandom(wanted.seed());
    Set<Occurrence> further = new HashSet<>();
    List<FailurePointId> left =
        new ArrayList<>(
            occurrences.keySet().stream()
                .filter(of)
                .filter(id -> counted(id).isLeft())
                .sorted()
                .toList());
    while (!left.isEmpty() && further.size() < most) {
      for (FailurePointId id : List.copyOf(left)) {
        if (further.size() < most) {
          choose(new Occurrence(id, counted(id).any(random)), further);
        }
      }
      left.removeIf(id -> !counted(id).isLeft());
    }
    return further;
  }
}
