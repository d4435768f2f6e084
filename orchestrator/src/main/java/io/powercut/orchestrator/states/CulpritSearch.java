package io.powercut.orchestrator.states;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PendingLine;
import io.powercut.persistency.states.PendingStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds what is to blame for a state that recovery cannot cope with, at a point whose program-order
 * state it can: first the fewest lines that have to be lost, in them the fewest stores; then, with
 * everything else lost as well, the fewest lines and stores that have to persist for it.
 */
public final class CulpritSearch {
  /** Of a line with more prefixes, these many are tried from the end that is looked for. */
  private static final int PREFIXES_TRIED = 32;

  private final CrashStates states;
  private final Predicate<CrashState> fails;
  private final int mostProbes;
  private int probes;

  /**
   * @param states all states of the point
   * @param fails whether recovery cannot cope with a state; asked often about the same
   * @param mostProbes how often it is asked at most
   */
  public CulpritSearch(CrashStates states, Predicate<CrashState> fails, int mostProbes) {
    this.states = states;
    this.fails = fails;
    this.mostProbes = mostProbes;
  }

  /**
   * Who is to blame.
   *
   * @param failing a state that recovery cannot cope with
   */
  public Culprit search(CrashState failing) {
    List<LineDifference> lines =
        SubsetSearch.smallest(failing.differences(), part -> fails(CrashState.of(part)));
    List<BlamedStore> lost = new ArrayList<>();
    List<BlamedStore> arrived = new ArrayList<>();
    for (int index = 0; index < lines.size(); index++) {
      lines = lessLost(lines, index);
      addLost(lines.get(index), lost);
    }
    for (int index = 0; index < lines.size(); index++) {
      arrivedInside(lines, index).ifPresent(arrived::add);
    }
    arrived.addAll(arrivedElsewhere(lines));
    return new Culprit(CrashState.of(lines), lost, arrived, probes <= mostProbes);
  }

  /** Program order is known to be good. What cannot be asked any more counts as good. */
  private boolean fails(CrashState state) {
    return !state.isProgramOrder() && ++probes <= mostProbes && fails.test(state);
  }

  /** The lines with one of them replaced by the longest prefix that still shows it. */
  private List<LineDifference> lessLost(List<LineDifference> lines, int index) {
    List<LineDifference> prefixes = lines.get(index).line().prefixes();
    for (int tried = 0; tried < Math.min(PREFIXES_TRIED, prefixes.size()); tried++) {
      List<LineDifference> other =
          replaced(lines, index, prefixes.get(prefixes.size() - 1 - tried));
      if (fails(CrashState.of(other))) {
        return other;
      }
    }
    return lines;
  }

  private static List<LineDifference> replaced(
      List<LineDifference> lines, int index, LineDifference by) {
    List<LineDifference> replaced = new ArrayList<>(lines);
    replaced.set(index, by);
    return replaced;
  }

  /** A prefix fails for the first of what it misses: with that, it would be the next prefix. */
  private static void addLost(LineDifference difference, List<BlamedStore> lost) {
    List<PendingStore> missing = difference.missing();
    boolean isPrefix = difference.line().prefixes().contains(difference);
    missing.stream()
        .limit(isPrefix ? 1 : missing.size())
        .forEach(store -> lost.add(new BlamedStore(difference.line(), store)));
  }

  /** The store to a line with losses that has to persist, if all of the line may not be lost. */
  private Optional<BlamedStore> arrivedInside(List<LineDifference> lines, int index) {
    PendingLine line = lines.get(index).line();
    if (!line.prefixes().contains(lines.get(index))) {
      return Optional.empty();
    }
    return firstFailing(line, prefix -> CrashState.of(replaced(lines, index, prefix)));
  }

  private List<BlamedStore> arrivedElsewhere(List<LineDifference> lines) {
    Set<Long> known = new HashSet<>();
    lines.forEach(line -> known.add(line.location()));
    List<LineDifference> others =
        states.lostLines().stream().filter(line -> !known.contains(line.location())).toList();
    List<LineDifference> kept =
        SubsetSearch.smallest(others, some -> fails(CrashState.of(with(lines, others, some))));
    List<BlamedStore> arrived = new ArrayList<>();
    for (LineDifference one : kept) {
      List<LineDifference> rest = with(lines, others, kept);
      firstFailing(one.line(), prefix -> CrashState.of(with(rest, List.of(prefix), List.of())))
          .ifPresent(arrived::add);
    }
    return arrived;
  }

  /** Lines, and others apart from some. */
  private static List<LineDifference> with(
      List<LineDifference> lines, List<LineDifference> others, List<LineDifference> some) {
    List<LineDifference> all = new ArrayList<>(lines);
    Set<LineDifference> kept = new HashSet<>(some);
    others.stream().filter(other -> !kept.contains(other)).forEach(all::add);
    return all;
  }

  /** The store with whose arrival the first prefix fails; none when the first of all does. */
  private Optional<BlamedStore> firstFailing(PendingLine line, StateOfPrefix state) {
    List<LineDifference> prefixes = line.prefixes();
    Optional<BlamedStore> arriving = Optional.empty();
    for (int index = 0; index < Math.min(PREFIXES_TRIED, prefixes.size()); index++) {
      if (fails(state.with(prefixes.get(index)))) {
        return arriving;
      }
      arriving =
          prefixes.get(index).missing().stream()
              .findFirst()
              .map(store -> new BlamedStore(line, store));
    }
    return arriving;
  }

  @FunctionalInterface
  private interface StateOfPrefix {
    CrashState with(LineDifference prefix);
  }
}
