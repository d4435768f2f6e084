// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.collect.Sets;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.identity.FailureReason;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Passes results on, and knows where in the trace there are bugs: what is worth judging beside them
 * depends on that. Safe for use by several threads.
 */
final class BugsInTrace implements ResultListener {
  /** Occurrences that are judged at a time to tell bugs apart. */
  private static final int MOST_BETWEEN = 32;

  /** Later occurrences with bugs of which the changes are wanted. */
  private static final int MOST_LATER = 4_096;

  /**
   * The verdict on a program-order image.
   *
   * @param bug how recovery failed; nothing if it succeeded
   */
  private record Judged(Occurrence cut, Optional<String> bug) {}

  private final ResultListener next;
  private final SortedMap<Long, Judged> inOrder = new TreeMap<>();
  private final Set<Occurrence> judged = new HashSet<>();
  private final Set<String> reasons = new HashSet<>();
  private final Set<Occurrence> firstSeen = new HashSet<>();

  /** Those that are not the first of their failure points and showed bugs in this part. */
  private final Set<Occurrence> later = new LinkedHashSet<>();

  /** The same of crash states that lost a store which is all that has to be lost. */
  private final Set<Occurrence> laterStates = new LinkedHashSet<>();

  /**
   * @param earlier verdicts of an earlier part of the run
   * @param explored its verdicts on crash states
   */
  BugsInTrace(
      ResultListener next, Collection<Judgement> earlier, Collection<StateVerdicts> explored) {
    this.next = next;
    earlier.forEach(this::remember);
    explored.forEach(this::remember);
  }

  @Override
  public void judged(Judgement judgement) {
    remember(judgement);
    if (judgement.isBug()) {
      addLater(judgement.cut(), later);
    }
    next.judged(judgement);
  }

  private synchronized void remember(Judgement judgement) {
    if (judgement.order() != 0 || judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
      return;
    }
    Optional<String> bug =
        judgement.isBug() ? Optional.of(FailureReason.inDetail(judgement)) : Optional.empty();
    judged.add(judgement.cut());
    judgement
        .ordinal()
        .ifPresent(ordinal -> inOrder.put(ordinal, new Judged(judgement.cut(), bug)));
    if (bug.filter(reasons::add).isPresent()) {
      firstSeen.add(judgement.cut());
    }
  }

  private static boolean needsNoOther(JudgedState state) {
    return state.hasCause() && state.arrived().isEmpty();
  }

  private synchronized void addLater(Occurrence cut, Set<Occurrence> all) {
    if (cut.number() > 1 && cut.order() == 0 && all.size() < MOST_LATER) {
      all.add(cut);
    }
  }

  @Override
  public void explored(StateVerdicts found) {
    remember(found);
    if (found.findings().stream()
        .flatMap(one -> one.state().stream())
        .anyMatch(BugsInTrace::needsNoOther)) {
      addLater(found.at(), laterStates);
    }
    next.explored(found);
  }

  private synchronized void remember(StateVerdicts found) {
    if (!found.findings().isEmpty()) {
      firstSeen.add(found.at());
    }
  }

  @Override
  public void cut(RecoveryCrashVerdicts found) {
    next.cut(found);
  }

  /** Whether one of these occurrences showed a bug that had not been seen before. */
  synchronized boolean isNewAt(Set<Occurrence> occurrences) {
    return occurrences.stream().anyMatch(firstSeen::contains);
  }

  /**
   * Occurrences that tell whether two failure points show one bug: recovery fails alike at both,
   * and nothing was judged between them although there is something. Each is the last one before
   * the second.
   *
   * @param preceding knows what is before an occurrence
   */
  synchronized Set<Occurrence> between(Preceding preceding) {
    Set<Occurrence> between = new HashSet<>();
    Optional<Judged> last = Optional.empty();
    for (Judged here : inOrder.values()) {
      if (last.filter(before -> failAlike(before, here)).isPresent()) {
        preceding.of(here.cut()).filter(one -> !judged.contains(one)).ifPresent(between::add);
      }
      if (between.size() == MOST_BETWEEN) {
        break;
      }
      last = Optional.of(here);
    }
    return between;
  }

  /**
   * Occurrences that tell whether a change of metadata is to blame: it is all that the image of a
   * bug has and theirs has not.
   *
   * @param preceding knows what is before an occurrence
   * @param isOnlyMetadata whether nothing else changed before an occurrence
   */
  synchronized Set<Occurrence> beforeMetadata(
      Preceding preceding, Predicate<Occurrence> isOnlyMetadata) {
    return inOrder.values().stream()
        .filter(here -> here.bug().isPresent() && isOnlyMetadata.test(here.cut()))
        .flatMap(here -> preceding.of(here.cut()).stream())
        .filter(one -> !judged.contains(one))
        .limit(MOST_BETWEEN)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Occurrences behind the first ones of their failure points that showed bugs in this part of the
   * run: the first of them.
   *
   * @param withStates whether those count where only a crash state did, by a store that is all that
   *     has to be lost
   */
  synchronized Set<Occurrence> later(boolean withStates) {
    return withStates ? Set.copyOf(Sets.union(later, laterStates)) : Set.copyOf(later);
  }

  private static boolean failAlike(Judged before, Judged here) {
    return here.bug().isPresent()
        && here.bug().equals(before.bug())
        && !here.cut().id().equals(before.cut().id());
  }
}
