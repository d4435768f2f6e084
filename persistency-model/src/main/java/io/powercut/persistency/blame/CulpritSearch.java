// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds what is to blame for a state that recovery cannot cope with, at a point whose program-order
 * state it can: first the fewest lines that have to be lost, in them the fewest stores; then, with
 * everything else lost as well, the fewest lines and stores that have to persist for it.
 *
 * <p>It walks along the order in which stores were made, not along contents: those may repeat. A
 * store is called a cause only after recovery was asked twice more: with just that store lost, and
 * with just that store restored.
 */
public final class CulpritSearch {
  /** So many steps of a line are tried one by one from the end that is looked for, then halves. */
  private static final int STEPS_TRIED = 32;

  /** So many stores of a line are tried as the cause. */
  private static final int STORES_TRIED = 32;

  /** Very many lines are tried in so many parts first. */
  private static final int PARTS = 8;

  /** Of very many lines, so many are looked at. */
  private static final int SAMPLE = 256;

  /** So many other lines are tried as what has to be there. */
  private static final int LINES_TRIED = 16;

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
    CrashState few = narrowed(failing);
    return few.isFew() ? searchLines(few) : unsearched(few);
  }

  /** A part of a state of very many lines, of few lines if that can be found. */
  private CrashState narrowed(CrashState failing) {
    CrashState left = failing;
    while (!left.isFew() && probes < mostProbes) {
      left =
          CrashState.all(
                  SubsetSearch.smallest(left.parts(PARTS), some -> fails(CrashState.all(some))))
              .simple();
    }
    return left;
  }

  /** What can be said of very many lines each of which may be needed. */
  private static Culprit unsearched(CrashState state) {
    List<BlamedStore> lost =
        state.first().stream().limit(LINES_TRIED).flatMap(CulpritSearch::blamed).toList();
    return new Culprit(state, lost, List.of(), List.of(), Culprit.Whole.NOTHING, false);
  }

  private Culprit searchLines(CrashState failing) {
    List<LineDifference> lines =
        SubsetSearch.smallest(failing.differences(), part -> fails(CrashState.of(part)));
    for (int index = 0; index < lines.size(); index++) {
      lines = lessLost(lines, index);
    }
    List<BlamedStore> lost = lines.stream().flatMap(CulpritSearch::blamed).toList();
    List<BlamedStore> causes = causes(lines, lost);
    Optional<BlamedStore> hidden = causes.isEmpty() ? hiddenCause(lines, lost) : Optional.empty();
    if (hidden.isPresent()) {
      lines = List.of(hidden.get().line().losing(hidden.get().store()));
      lost = List.of(hidden.get());
      causes = lost;
    }
    List<BlamedStore> arrived = new ArrayList<>();
    for (int index = 0; index < lines.size(); index++) {
      arrivedInside(lines, index).ifPresent(arrived::add);
    }
    arrived.addAll(arrivedElsewhere(lines));
    List<BlamedStore> ordered = firstToLookAt(lines, lost, causes);
    if (!ordered.isEmpty()) {
      arrived.sort(tooEarlyFirst(ordered.get(0)));
    }
    Optional<BlamedStore> torn =
        causes.isEmpty() ? tornBehind(lines, ordered, arrived) : Optional.empty();
    if (torn.isPresent()) {
      arrived.clear();
      arrived.add(torn.get());
    }
    if (torn.isPresent() || (causes.isEmpty() && protects(lines, ordered, arrived))) {
      causes = ordered.subList(0, 1);
    }
    Culprit culprit =
        new Culprit(
            CrashState.of(lines),
            ordered,
            causes,
            arrived,
            Culprit.Whole.NOTHING,
            probes <= mostProbes);
    return ordered.isEmpty() ? culprit : withWhole(culprit);
  }

  /** Program order is known to be good. What cannot be asked any more counts as good. */
  private boolean fails(CrashState state) {
    return !state.isProgramOrder() && ++probes <= mostProbes && fails.test(state);
  }

  /** Unlike {@code !fails}: not for what cannot be asked any more. */
  private boolean succeeds(CrashState state) {
    return !fails(state) && probes <= mostProbes;
  }

  /** The lines with one of them replaced by the least loss of it that still shows it. */
  private List<LineDifference> lessLost(List<LineDifference> lines, int index) {
    LineDifference own = lines.get(index);
    List<LineDifference> steps = own.line().steps();
    IntPredicate isLoss = step -> fails(CrashState.of(replaced(lines, index, steps.get(step))));
    int last = steps.size();
    while (last > Math.max(0, steps.size() - STEPS_TRIED)) {
      last--;
      if (isLoss.test(last)) {
        return alone(replaced(lines, index, steps.get(last)), index);
      }
    }
    int known = steps.lastIndexOf(own); // By content: the last that has it loses least.
    if (known >= 0 && known < last) {
      return alone(replaced(lines, index, steps.get(boundary(known, last, isLoss))), index);
    }
    return alone(lines, index);
  }

  /** Between a step for which something holds and a later one for which not, the last before. */
  private static int boundary(int holds, int not, IntPredicate test) {
    int low = holds;
    int high = not;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (test.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The lines with one of them losing a single store and what x86 loses with it, if that shows. */
  private List<LineDifference> alone(List<LineDifference> lines, int index) {
    LineDifference own = lines.get(index);
    List<InFlightStore> missing = own.missing();
    if (missing.isEmpty() || isSame(own, own.line().losing(missing.get(0)))) {
      return lines;
    }
    for (InFlightStore store : missing.subList(0, Math.min(STORES_TRIED, missing.size()))) {
      LineDifference loss = own.line().losing(store);
      if (loss.missing().size() >= missing.size()) {
        continue;
      }
      List<LineDifference> other = replaced(lines, index, loss);
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

  /** The store without which the others cannot be there; all of them if there is none. */
  private static Stream<BlamedStore> blamed(LineDifference difference) {
    List<InFlightStore> missing = difference.missing();
    boolean isForced =
        !missing.isEmpty()
            && (difference.isPrefix()
                || isSame(difference, difference.line().losing(missing.get(0))));
    return missing.stream()
        .limit(isForced ? 1 : missing.size())
        .map(store -> new BlamedStore(difference.line(), store));
  }

  private static boolean isSame(LineDifference one, LineDifference other) {
    return one.equals(other) && one.missing().size() == other.missing().size();
  }

  private List<BlamedStore> causes(List<LineDifference> lines, List<BlamedStore> lost) {
    return lost.stream()
        .limit(STORES_TRIED)
        .filter(store -> breaksAlone(store) && isRepairedBy(lines, store))
        .toList();
  }

  private boolean breaksAlone(BlamedStore store) {
    return fails(CrashState.of(List.of(store.line().losing(store.store()))));
  }

  private boolean isRepairedBy(List<LineDifference> lines, BlamedStore store) {
    List<LineDifference> restored =
        lines.stream()
            .map(line -> isOf(line, store) ? line.restoring(store.store()) : line)
            .toList();
    return succeeds(CrashState.of(restored));
  }

  private static boolean isOf(LineDifference line, BlamedStore store) {
    return line.location() == store.line().location();
  }

  /** One of the stores that are lost with the first of their line may be the cause instead. */
  private Optional<BlamedStore> hiddenCause(List<LineDifference> lines, List<BlamedStore> known) {
    return lines.stream()
        .flatMap(
            line ->
                line.missing().stream()
                    .limit(STORES_TRIED)
                    .map(store -> new BlamedStore(line.line(), store)))
        .filter(store -> !known.contains(store))
        .filter(
            store ->
                isRepairedBy(lines, store)
                    && breaksAlone(store)
                    && isRepairedBy(List.of(store.line().losing(store.store())), store))
        .findFirst();
  }

  /**
   * A cause, or else the earliest that repairs the state by itself: to persist that before the
   * others are stored is enough, and no flush after a later one comes in time.
   */
  private List<BlamedStore> firstToLookAt(
      List<LineDifference> lines, List<BlamedStore> lost, List<BlamedStore> causes) {
    Optional<BlamedStore> first = causes.stream().findFirst();
    if (first.isEmpty() && lost.size() > 1) {
      first =
          lost.stream()
              .limit(STORES_TRIED)
              .sorted(Comparator.comparingLong(store -> store.store().ordinal()))
              .filter(store -> isRepairedBy(lines, store))
              .findFirst();
    }
    return Stream.concat(first.stream(), lost.stream()).distinct().toList();
  }

  /**
   * Whether the first of several lost stores protects later ones, as an entry of an undo log does:
   * recovery succeeds without one of these if the entry is there, and without the entry if these
   * are there, but not without the entry and either of two.
   */
  private boolean protects(
      List<LineDifference> lines, List<BlamedStore> ordered, List<BlamedStore> arrived) {
    if (ordered.size() < 2 || arrived.isEmpty()) {
      return false;
    }
    BlamedStore entry = ordered.get(0);
    BlamedStore there = arrived.get(0);
    LineDifference withoutEntry = entry.line().losing(entry.store());
    LineDifference without = there.line().losing(there.store());
    return withoutEntry.location() != without.location()
        && Stream.concat(ordered.stream().skip(1), Stream.of(there))
            .allMatch(later -> later.store().ordinal() > entry.store().ordinal())
        && isRepairedBy(lines, entry)
        && succeeds(CrashState.of(List.of(withoutEntry)))
        && succeeds(CrashState.of(List.of(without)))
        && fails(CrashState.of(List.of(withoutEntry, without)));
  }

  /**
   * A store that the first of several lost ones protects from being torn, as the copy of a page
   * does that is written twice: recovery succeeds with the copy alone, with none of the page, and
   * with all of it, but not with a part of both.
   */
  private Optional<BlamedStore> tornBehind(
      List<LineDifference> lines, List<BlamedStore> ordered, List<BlamedStore> arrived) {
    if (ordered.size() < 2 || !ordered.get(1).isTorn()) {
      return Optional.empty();
    }
    BlamedStore copy = ordered.get(0);
    InFlightLine line = ordered.get(1).line();
    long ordinal = ordered.get(1).store().ordinal();
    CrashState withoutCopy = CrashState.of(List.of(copy.line().losing(copy.store())));
    boolean isProtected =
        ordinal > copy.store().ordinal()
            && copy.line().losing(ordinal).isEmpty()
            && ordered.stream().skip(1).allMatch(part -> part.store().ordinal() == ordinal)
            && arrived.stream()
                .allMatch(part -> isOfOne(part, copy) || isOfOne(part, ordered.get(1)))
            && isRepairedBy(lines, copy)
            && succeeds(withoutCopy)
            && succeeds(CrashState.all(List.of(withoutCopy, states.losing(ordinal))));
    return isProtected
        ? line.stores().stream()
            .filter(store -> store.ordinal() == ordinal)
            .findFirst()
            .map(store -> new BlamedStore(line, store))
        : Optional.empty();
  }

  /** Whether these are parts of one store. */
  private static boolean isOfOne(BlamedStore one, BlamedStore other) {
    return one.store().ordinal() == other.store().ordinal();
  }

  /** The store to a line with losses that has to persist, if all of the line may not be lost. */
  private Optional<BlamedStore> arrivedInside(List<LineDifference> lines, int index) {
    return arrivedInside(lines, index, CrashState::of);
  }

  /**
   * The store to a line with losses that has to persist, or any one to another line: of what is
   * copied in parts, one part is missing.
   *
   * @param culprit one for which nothing is known that has to persist
   */
  public Optional<BlamedStore> otherPart(Culprit culprit) {
    if (!culprit.state().isFew()) {
      return Optional.empty();
    }
    List<LineDifference> lines = culprit.state().differences();
    CrashState others =
        states.everythingLostBut(
            lines.stream().map(LineDifference::location).collect(Collectors.toSet()));
    if (!others.isFew()
        || others.isProgramOrder()
        || succeeds(CrashState.all(List.of(others, CrashState.of(lines))))) {
      return Optional.empty();
    }
    return IntStream.range(0, lines.size())
        .mapToObj(
            index ->
                arrivedInside(
                    lines, index, own -> CrashState.all(List.of(others, CrashState.of(own)))))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * The same.
   *
   * @param asState makes a state of lines with losses and of what else is lost
   */
  private Optional<BlamedStore> arrivedInside(
      List<LineDifference> lines, int index, Function<List<LineDifference>, CrashState> asState) {
    LineDifference own = lines.get(index);
    List<LineDifference> steps = own.line().steps();
    int end = own.isPrefix() ? stepOf(own, steps) : -1;
    IntPredicate succeedsAt =
        step -> succeeds(asState.apply(replaced(lines, index, steps.get(step))));
    if (end <= 0 || !succeedsAt.test(0)) {
      return Optional.empty();
    }
    int before = end;
    while (before > Math.max(0, end - STEPS_TRIED)) {
      before--;
      if (succeedsAt.test(before)) {
        return arriving(steps.get(before));
      }
    }
    return arriving(steps.get(boundary(0, before, succeedsAt)));
  }

  private static int stepOf(LineDifference prefix, List<LineDifference> steps) {
    for (int step = steps.size() - 1; step >= 0; step--) {
      if (isSame(steps.get(step), prefix)) {
        return step;
      }
    }
    return -1;
  }

  /** The store that comes next. */
  private static Optional<BlamedStore> arriving(LineDifference step) {
    return step.missing().stream().findFirst().map(store -> new BlamedStore(step.line(), store));
  }

  private List<BlamedStore> arrivedElsewhere(List<LineDifference> lines) {
    Set<Long> known = new HashSet<>();
    lines.forEach(line -> known.add(line.location()));
    CrashState gone = CrashState.of(lines);
    CrashState kept = states.everythingLostBut(known);
    while (!kept.isFew() && probes < mostProbes) {
      List<CrashState> parts = kept.parts(PARTS);
      CrashState before = gone;
      List<CrashState> some =
          SubsetSearch.smallest(parts, those -> fails(withAllBut(before, parts, those)));
      gone = withAllBut(before, parts, some);
      kept = CrashState.all(some).simple();
    }
    if (!kept.isFew()) {
      return List.of();
    }
    CrashState lost = gone;
    List<LineDifference> others = kept.differences();
    List<LineDifference> needed =
        SubsetSearch.smallest(others, some -> fails(with(lost, others, some)));
    if (needed.isEmpty()) {
      return arrivedByItself(lines, nearby(known));
    }
    CrashState rest = with(lost, others, needed);
    return needed.stream().flatMap(one -> firstNeeded(one.line(), rest).stream()).toList();
  }

  private List<LineDifference> nearby(Set<Long> known) {
    return states.sample(states.isFew() ? CrashStates.FEW_LINES : SAMPLE).stream()
        .map(InFlightLine::guaranteed)
        .flatMap(Optional::stream)
        .filter(line -> !known.contains(line.location()))
        .toList();
  }

  /** Lost lines, and parts apart from some. */
  private static CrashState withAllBut(
      CrashState lost, List<CrashState> parts, List<CrashState> some) {
    List<CrashState> all = new ArrayList<>(parts);
    all.removeAll(some);
    all.add(lost);
    return CrashState.all(all);
  }

  /**
   * With everything lost, recovery may fail for another mistake. So the other lines, the nearest
   * first, are lost one at a time: one without which recovery succeeds has to be there. So do those
   * of the lines stored to later, one of which may be what comes too early.
   */
  private List<BlamedStore> arrivedByItself(
      List<LineDifference> lines, List<LineDifference> others) {
    long gone = lines.stream().mapToLong(CulpritSearch::firstMissing).min().orElse(0);
    List<LineDifference> needed = new ArrayList<>();
    others.stream()
        .sorted(Comparator.comparingLong(other -> Math.abs(firstMissing(other) - gone)))
        .limit(LINES_TRIED)
        .filter(other -> needed.isEmpty() || lastMissing(other) > lastMissing(needed.get(0)))
        .filter(other -> succeeds(CrashState.of(and(lines, other))))
        .forEach(needed::add);
    return needed.stream()
        .flatMap(other -> firstNeeded(other.line(), CrashState.of(lines)).stream())
        .toList();
  }

  private static long firstMissing(LineDifference line) {
    return line.missing().stream().mapToLong(InFlightStore::ordinal).min().orElse(0);
  }

  private static long lastMissing(LineDifference line) {
    return line.missing().stream().mapToLong(InFlightStore::ordinal).max().orElse(0);
  }

  /** Lost lines, and others apart from some. */
  private static CrashState with(
      CrashState lost, List<LineDifference> others, List<LineDifference> some) {
    Set<LineDifference> kept = new HashSet<>(some);
    return CrashState.all(
        List.of(
            lost, CrashState.of(others.stream().filter(other -> !kept.contains(other)).toList())));
  }

  /** The store with whose arrival recovery first fails; none when it does without any of them. */
  private Optional<BlamedStore> firstNeeded(InFlightLine line, CrashState rest) {
    List<LineDifference> steps = line.steps();
    IntPredicate succeedsAt =
        step -> !fails(CrashState.all(List.of(rest, CrashState.of(List.of(steps.get(step))))));
    int arrived = 0;
    while (arrived < Math.min(STEPS_TRIED, steps.size()) && succeedsAt.test(arrived)) {
      arrived++;
    }
    if (arrived == 0) {
      return Optional.empty();
    }
    return arriving(
        steps.get(
            arrived < STEPS_TRIED ? arrived - 1 : boundary(arrived - 1, steps.size(), succeedsAt)));
  }

  private static List<LineDifference> and(List<LineDifference> lines, LineDifference one) {
    List<LineDifference> all = new ArrayList<>(lines);
    all.add(one);
    return all;
  }

  /**
   * All of them have to be there. One to another line that was stored later must not be there
   * without the lost one, whatever the order in its own line is. Else one in the same line is there
   * because of its order; else the last one is there too early.
   */
  private static Comparator<BlamedStore> tooEarlyFirst(BlamedStore gone) {
    return Comparator.comparingInt((BlamedStore store) -> rank(store, gone))
        .thenComparing(
            Comparator.comparingLong((BlamedStore store) -> store.store().ordinal()).reversed());
  }

  private static int rank(BlamedStore store, BlamedStore gone) {
    boolean isInLine = store.line().location() == gone.line().location();
    if (!isInLine && store.store().ordinal() > gone.store().ordinal()) {
      return 0;
    }
    return isInLine && !store.store().code().equals(gone.store().code()) ? 1 : 2;
  }

  /**
   * Two stores that seem to have to be one need not be if recovery succeeds right after both with
   * either of them lost. It does so as long as an undo log has what they held. Then only something
   * later relies on the lost one, such as the end of that log, and the other one does no harm.
   */
  private Culprit withWhole(Culprit culprit) {
    Culprit.Whole whole = whole(culprit);
    if (whole != Culprit.Whole.ANOTHER_STORE || !culprit.isCause(culprit.lost().get(0))) {
      return culprit.with(whole);
    }
    BlamedStore gone = culprit.lost().get(0);
    BlamedStore there = culprit.arrived().get(0);
    long behind = laterOf(gone, there) + 1;
    boolean isVouchedForLater =
        gone.line().location() != there.line().location()
            && states.isProgramOrderBefore(behind)
            && succeeds(upTo(behind, gone))
            && succeeds(upTo(behind, there));
    return isVouchedForLater ? culprit.withoutArrivedBefore(behind) : culprit.with(whole);
  }

  /**
   * What the first lost store has to persist as one with. What else the state lost stays lost for
   * that: were it put back, recovery would succeed for that alone.
   */
  private Culprit.Whole whole(Culprit culprit) {
    BlamedStore gone = culprit.lost().get(0);
    boolean isCause = culprit.isCause(gone);
    if (isTornApart(culprit)) {
      boolean isTorn =
          isCause
              ? !isVouchedForLater(culprit, gone)
              : isNeededAtOnce(gone, gone.store().ordinal());
      return isTorn ? Culprit.Whole.ITS_PARTS : Culprit.Whole.NOTHING;
    }
    return culprit.arrived().stream()
            .limit(1)
            .anyMatch(
                there ->
                    (isCause || isNeededAtOnce(gone, laterOf(gone, there)))
                        && mustBeOne(culprit, there))
        ? Culprit.Whole.ANOTHER_STORE
        : Culprit.Whole.NOTHING;
  }

  private static long laterOf(BlamedStore one, BlamedStore other) {
    return Math.max(one.store().ordinal(), other.store().ordinal());
  }

  /**
   * Whether recovery succeeds right after a store of which this was lost: then only a later store
   * relies on it, and to persist it before that is enough. What was there then is not known where
   * something that was stored later has persisted. Then recovery is run without the later store
   * that had to arrive.
   */
  private boolean isVouchedForLater(Culprit culprit, BlamedStore gone) {
    long behind = gone.store().ordinal() + 1;
    return states.isProgramOrderBefore(behind)
        ? succeeds(upTo(behind, gone))
        : culprit.arrived().stream().limit(1).anyMatch(there -> reliesOn(there, culprit, gone));
  }

  /** Whether a later store to another line must not be there without a lost one. */
  private boolean reliesOn(BlamedStore there, Culprit culprit, BlamedStore gone) {
    return there.store().ordinal() > gone.store().ordinal()
        && there.line().location() != gone.line().location()
        && succeeds(
            besideThoseOf(
                culprit,
                List.of(gone.line().losing(gone.store()), there.line().losing(there.store()))));
  }

  /** Whether recovery fails right after a store if another one is lost: no flush helps then. */
  private boolean isNeededAtOnce(BlamedStore gone, long last) {
    return states.isProgramOrderBefore(last + 1) && fails(upTo(last + 1, gone));
  }

  /** What was there before a place of the trace, without a store. */
  private CrashState upTo(long ordinal, BlamedStore gone) {
    return CrashState.all(
        List.of(
            states.before(ordinal).without(Set.of(gone.line().location())),
            CrashState.of(List.of(gone.line().losing(gone.store())))));
  }

  /** Whether recovery succeeds if all of a store is lost, in whatever lines it is. */
  private boolean isTornApart(Culprit culprit) {
    BlamedStore gone = culprit.lost().get(0);
    long ordinal = gone.store().ordinal();
    boolean hasParts =
        gone.isTorn()
            || states.sample(CrashStates.FEW_LINES).stream()
                    .map(line -> line.losing(ordinal))
                    .flatMap(Optional::stream)
                    .limit(2)
                    .count()
                > 1;
    return hasParts
        && succeeds(CrashState.all(List.of(othersLost(culprit, ordinal), states.losing(ordinal))));
  }

  /** What a culprit lost of lines in which a store is not. */
  private static CrashState othersLost(Culprit culprit, long ordinal) {
    return culprit
        .state()
        .without(
            culprit.state().differences().stream()
                .filter(lost -> lost.line().losing(ordinal).isPresent())
                .map(LineDifference::location)
                .collect(Collectors.toSet()));
  }

  /**
   * Whether a lost store has to persist as one with one that arrived: recovery fails without
   * either, and succeeds without both. Of two stores to one line the later one cannot persist first
   * as things are; what is asked there is whether changing their order would help.
   */
  private boolean mustBeOne(Culprit culprit, BlamedStore there) {
    BlamedStore gone = culprit.lost().get(0);
    if (gone.line().location() == there.line().location()) {
      return gone.store().ordinal() > there.store().ordinal()
          && fails(inOtherOrder(there, gone))
          && succeeds(states.before(there.store().ordinal()));
    }
    LineDifference withoutIt = there.line().losing(there.store());
    LineDifference withoutOther = gone.line().losing(gone.store());
    return fails(besideThoseOf(culprit, List.of(gone.line().programOrder(), withoutIt)))
        && succeeds(besideThoseOf(culprit, List.of(withoutOther, withoutIt)));
  }

  /** Lines, and those that a culprit lost beside them. */
  private static CrashState besideThoseOf(Culprit culprit, List<LineDifference> lines) {
    Set<Long> own = lines.stream().map(LineDifference::location).collect(Collectors.toSet());
    return CrashState.all(List.of(culprit.state().without(own), CrashState.of(lines)));
  }

  /** What was there between two stores to one line if they were made in the other order. */
  private CrashState inOtherOrder(BlamedStore first, BlamedStore second) {
    CrashState others =
        states.before(second.store().ordinal() + 1).without(Set.of(first.line().location()));
    LineDifference own = first.line().inOtherOrder(first.store(), second.store());
    return CrashState.all(List.of(others, CrashState.of(List.of(own))));
  }
}
