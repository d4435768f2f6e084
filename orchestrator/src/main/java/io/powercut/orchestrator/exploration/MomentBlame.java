// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import com.google.common.collect.Lists;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.EarlierImage;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.blame.CulpritSearch;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.Sectors;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.Timeline;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is to blame for the failing states of one moment. For one thread. */
final class MomentBlame {
  private static final int MOST_PROBES = 500;

  private static final Comparator<BlamedStore> BY_TIME =
      Comparator.comparingLong(one -> one.store().ordinal());

  /** Each of these takes as long as recovery may. */
  private static final int MOST_PROBES_OF_HANGS = 20;

  /** So far program order is followed back from a lost store. */
  private static final int MOST_STORES_BACK = 256;

  /** The same where each of the states has very many lines. */
  private static final int MOST_LARGE_STATES_BACK = 4;

  /** So many stores are tried as what is there too early. */
  private static final int MOST_TOO_EARLY = 8;

  /** The same where recovery hangs, which it may do again. */
  private static final int MOST_TOO_EARLY_OF_HANGS = 1;

  /** So many changes of names and sizes are tried as what relies on a lost store. */
  private static final int MOST_CHANGES = 8;

  /** So many states are tried that a disk could leave in the place of one. */
  private static final int MOST_SNAPSHOTS = 16;

  private final CrashPoint moment;
  private final Knowledge knowledge;
  private final MomentOracle oracle;
  private final Predicate<CrashState> fails;
  private final StateNames names;
  private final OutputBlame outputs;
  private final List<Judgement> findings = new ArrayList<>();
  private final Set<String> again = new LinkedHashSet<>();

  /**
   * What is known of a whole run.
   *
   * @param workplace where images of bugs go
   * @param tables what the numbers of stores mean
   * @param culprits what is known of them, which this adds to
   * @param advice gets the findings for which advice can be tried
   */
  record Knowledge(
      Workplace workplace,
      Judging judging,
      TraceTables tables,
      KnownCulprits culprits,
      AdviceQuestions advice) {}

  /**
   * @param fails whether recovery cannot cope with a state
   */
  MomentBlame(
      CrashPoint moment, Knowledge knowledge, MomentOracle oracle, Predicate<CrashState> fails) {
    this.moment = moment;
    this.knowledge = knowledge;
    this.oracle = oracle;
    this.fails = fails;
    this.names = new StateNames(knowledge.tables(), moment, knowledge.judging().identity());
    this.outputs = new OutputBlame(moment, knowledge.tables(), oracle);
  }

  /** Bugs that were found here first. */
  List<Judgement> findings() {
    return findings;
  }

  /** Fingerprints of known bugs that were seen again. */
  List<String> again() {
    return List.copyOf(again);
  }

  /** What is left of a failing state without what is to blame for its failure. */
  CrashState rest(Candidate failing, Verdict.Kind kind) {
    CrashState left = withoutKnown(failing.state());
    return left.equals(failing.state()) ? without(left, blame(failing, kind)) : left;
  }

  /**
   * The last stores, one at a time; those first of whose code that is known to happen. Where
   * recovery hangs, more than one is tried while there is time.
   *
   * @param kind how recovery ends with all of them
   */
  Optional<EarlyStore> tooEarly(Verdict.Kind kind) {
    KnownCulprits known = knowledge.culprits();
    Optional<BlamedStore> early =
        moment.states().sample(CrashStates.FEW_LINES).stream()
            .flatMap(line -> line.stores().stream().map(store -> new BlamedStore(line, store)))
            .sorted(
                Comparator.comparing((BlamedStore one) -> !known.wasEarly(one.store()))
                    .thenComparing(
                        Comparator.comparingLong((BlamedStore one) -> one.store().ordinal())
                            .reversed()))
            .limit(MOST_TOO_EARLY)
            .takeWhile(new WhileThereIsTime(known, kind))
            .filter(
                one ->
                    oracle.ask(CrashState.of(List.of(one.line().losing(one.store()))))
                        == Verdict.Kind.CONSISTENT)
            .findFirst();
    early.map(BlamedStore::store).ifPresent(known::addEarly);
    return early.map(names::earlyStore);
  }

  /** The first is tried in any case. */
  private static final class WhileThereIsTime implements Predicate<BlamedStore> {
    private final KnownCulprits known;
    private final Verdict.Kind kind;
    private boolean isFirst = true;

    WhileThereIsTime(KnownCulprits known, Verdict.Kind kind) {
      this.known = known;
      this.kind = kind;
    }

    @Override
    public boolean test(BlamedStore one) {
      boolean isTried = isFirst || kind != Verdict.Kind.HUNG || known.mayHang();
      isFirst = false;
      return isTried;
    }
  }

  private static CrashState without(CrashState state, CrashState part) {
    return part.isFew()
        ? state.without(
            part.differences().stream().map(LineDifference::location).collect(Collectors.toSet()))
        : CrashState.of(List.of()); // What is left of it is not known.
  }

  /**
   * What is left of a state without the parts that show known culprits, which are seen again. All
   * of them go at once: to ask what is left after each would double the recoveries of a state with
   * many mistakes.
   */
  private CrashState withoutKnown(CrashState state) {
    CrashState left = state;
    for (KnownCulprits.Known known : knowledge.culprits().all()) {
      Optional<CrashState> part = known.in(left, names::kindOfFile);
      if (part.isPresent() && isToBlame(known, part.get(), state)) {
        seenAgain(known.fingerprint());
        knowledge.advice().seenAgain(known.first(), moment, newest(known, part.get()), lastEvent());
        askForOtherOrder(known, part.get());
        left = without(left, part.get());
      }
    }
    return left;
  }

  /**
   * Another order of two stores may help where they were found, such as on an empty structure, and
   * not later in the run. Then it is not advised.
   */
  private void askForOtherOrder(KnownCulprits.Known known, CrashState part) {
    Optional<BlamedStore> lost =
        part.isFew()
            ? part.differences().stream()
                .flatMap(
                    line ->
                        line.missing().stream().map(store -> new BlamedStore(line.line(), store)))
                .filter(one -> known.lost().contains(one.store().code()))
                .max(BY_TIME)
            : Optional.empty();
    Optional<StoreCode> early =
        lost.flatMap(one -> knowledge.advice().orderToAsk(known.first(), one.store().code()));
    if (early.isEmpty()) {
      return;
    }
    long when = lost.get().store().ordinal();
    moment.states().sample(CrashStates.FEW_LINES).stream()
        .flatMap(line -> line.stores().stream().map(store -> new BlamedStore(line, store)))
        .filter(one -> one.store().ordinal() < when && one.store().code().equals(early.get()))
        .max(BY_TIME)
        .filter(there -> breaksInOtherOrder(there, lost.get()))
        .ifPresent(there -> knowledge.advice().refuteOrder(known.fingerprint()));
  }

  /**
   * Whether recovery succeeds before the first of two stores and after both, but would fail right
   * after the second if that had been made first. So nothing else breaks it there.
   */
  private boolean breaksInOtherOrder(BlamedStore first, BlamedStore second) {
    long behind = second.store().ordinal() + 1;
    CrashState after = moment.states().before(behind);
    return moment.states().isProgramOrderBefore(behind)
        && !failsBefore(first.store().ordinal())
        && (after.isProgramOrder() || !fails.test(after))
        && failsInOtherOrder(first, second);
  }

  /**
   * The line with the newest of the lost stores, if losing that is enough: what persists the older
   * ones in time may come too late for it.
   */
  private CrashState newest(KnownCulprits.Known known, CrashState part) {
    if (!part.isFew() || part.differences().size() < 2 || known.lost().size() > 1) {
      return part;
    }
    CrashState alone =
        CrashState.of(
            List.of(
                Collections.max(
                    part.differences(), Comparator.comparing(line -> newestOf(known, line)))));
    return fails.test(alone) ? alone : part;
  }

  private static long newestOf(KnownCulprits.Known known, LineDifference line) {
    return line.missing().stream()
        .filter(store -> known.lost().contains(store.code()))
        .mapToLong(InFlightStore::ordinal)
        .max()
        .orElse(-1);
  }

  private long lastEvent() {
    return moment.recent().isEmpty()
        ? 0
        : moment.recent().get(moment.recent().size() - 1).ordinal();
  }

  /**
   * One that only direct mapping shows is news where a disk could leave the state, too; and one
   * behind a mistake that program order shows where there is no such mistake. What was found later
   * in the run is news, too.
   */
  private boolean isToBlame(KnownCulprits.Known known, CrashState part, CrashState failing) {
    return !known.first().isBehind(moment.occurrence(), lastEvent())
        && (part.equals(failing) || fails.test(part))
        && (!known.first().daxOnly() || isOnDaxOnly(part))
        && (!known.first().brokenBefore()
            || !part.isFew()
            || isBrokenBefore(known.firstLost(part)));
  }

  /** Finds who is to blame, and returns the part of the state that shows it. */
  private CrashState blame(Candidate candidate, Verdict.Kind kind) {
    int probes = kind == Verdict.Kind.HUNG ? MOST_PROBES_OF_HANGS : MOST_PROBES;
    CulpritSearch search = new CulpritSearch(moment.states(), fails, probes);
    Culprit culprit =
        reliedOnByNames(
            withEarlier(withoutHarmless(search.search(candidate.state())), search, kind));
    if (culprit.lost().isEmpty()) {
      oracle.session().note("the lost stores are no longer known");
      return culprit.state();
    }
    if (isFoundHere(names.id(culprit.state()))) {
      return culprit.state();
    }
    boolean daxOnly = isOnDaxOnly(culprit.state());
    JudgedState named = names.judgedState(candidate, culprit, shownBefore(culprit), daxOnly);
    JudgedState state =
        isAcknowledgedBefore(culprit) ? named.withAdvice(BlameText.ACKNOWLEDGE_LATER) : named;
    Optional<Judgement> proof =
        prove(culprit.state(), state)
            .map(one -> one.withTimeline(new Timelines(knowledge.tables(), moment).of(culprit)));
    if (proof.isPresent()) {
      KnownCulprits.Discovery here =
          new KnownCulprits.Discovery(
              moment.occurrence(),
              state.id(),
              daxOnly,
              isBrokenBefore(culprit),
              outputs.isWhyItFails(firstLost(culprit), culprit.state()),
              lastEvent());
      knowledge
          .culprits()
          .add(culprit, names.kindOfFile(culprit.lost().get(0)), state.fingerprint(), here);
      findings.add(proof.get());
      knowledge.advice().addFinding(here, state, culprit);
      if (state.hasCause() && state.advice().isEmpty() && culprit.state().isFew()) {
        askForAdvice(here, state, culprit);
      } else if (names.mayBeLate(culprit)) {
        knowledge
            .advice()
            .addUnasked(names.fingerprintOfNotPersisted(culprit), here, culprit, false);
      } else if (!state.hasCause()) {
        knowledge
            .advice()
            .addInvolved(
                here,
                state.fingerprint(),
                culprit,
                here.brokenBefore() && judgedBefore(firstLost(culprit)).isPresent());
      }
    }
    return culprit.state();
  }

  /** Whether no flush helps, wherever it is, since the target had acknowledged too much before. */
  private boolean isAcknowledgedBefore(Culprit culprit) {
    return culprit.arrived().isEmpty()
        && !culprit.isAtomicity()
        && culprit.isCause(culprit.lost().get(0))
        && outputs.isBefore(firstLost(culprit), culprit.state());
  }

  /**
   * An earlier store does no harm by itself if recovery succeeds right before the lost one: then
   * something later vouches for both, and the lost one is not persisted before that.
   */
  private Culprit withoutHarmless(Culprit culprit) {
    boolean isOrder =
        !culprit.lost().isEmpty()
            && !culprit.isAtomicity()
            && culprit.arrived().stream()
                .limit(1)
                .anyMatch(there -> there.store().ordinal() < firstLost(culprit));
    return isOrder && !isBrokenBefore(culprit)
        ? culprit.withoutArrivedBefore(firstLost(culprit))
        : culprit;
  }

  /**
   * Recovery may also fail right before the lost store, and no failure point shows that: then it
   * fails since an earlier store in flight, which must not persist without the lost one.
   */
  private Culprit withEarlier(Culprit culprit, CulpritSearch search, Verdict.Kind kind) {
    boolean isKnown =
        culprit.lost().isEmpty()
            || !culprit.arrived().isEmpty()
            || culprit.isAtomicity()
            || !isBrokenBefore(culprit)
            || shownBefore(culprit).isPresent();
    return isKnown
        ? culprit
        : brokenSince(firstLost(culprit), kind)
            .or(() -> search.otherPart(culprit))
            .map(
                there ->
                    failsInOtherOrder(there, culprit.lost().get(0))
                        ? culprit.asOneWith(there)
                        : culprit.with(there))
            .orElse(culprit);
  }

  /**
   * Recovery may succeed with the store that arrived and without the lost ones right before a
   * change of names or sizes, such as the deletion of an undo log: then it is the change that
   * relies on the lost ones, whether that store is there or not. Of two that have to be one, the
   * change may come between them, whichever arrived.
   */
  private Culprit reliedOnByNames(Culprit culprit) {
    if (culprit.arrived().isEmpty() || culprit.isTorn() || !culprit.state().isFew()) {
      return culprit;
    }
    long there = culprit.arrived().get(0).store().ordinal();
    long since = culprit.isAtomicity() ? Math.min(there, firstLost(culprit)) : there;
    boolean isRelying =
        moment.losses().images().stream()
            .filter(change -> change.change().ordinal() > since)
            .limit(MOST_CHANGES)
            .anyMatch(change -> succeedsBefore(change, culprit, there));
    return isRelying ? culprit.withoutArrived() : culprit;
  }

  private boolean succeedsBefore(EarlierImage change, Culprit culprit, long there) {
    long when = change.change().ordinal();
    List<LineDifference> lost =
        culprit.state().differences().stream()
            .filter(line -> there < when && firstMissing(line) < when)
            .toList();
    return lost.stream().allMatch(LineDifference::isPrefix)
        && oracle.askBefore(change, CrashState.of(lost)) == Verdict.Kind.CONSISTENT;
  }

  private static long firstMissing(LineDifference line) {
    return line.missing().stream().mapToLong(InFlightStore::ordinal).min().orElseThrow();
  }

  /** Whether recovery fails right after a store if it had been made before another one. */
  private boolean failsInOtherOrder(BlamedStore first, BlamedStore second) {
    long line = first.line().location();
    LineDifference own =
        line == second.line().location()
            ? first.line().inOtherOrder(first.store(), second.store())
            : first.line().losing(first.store());
    CrashState others = moment.states().before(second.store().ordinal() + 1).without(Set.of(line));
    return fails.test(CrashState.all(List.of(others, CrashState.of(List.of(own)))));
  }

  private static int mostTooEarly(Verdict.Kind kind) {
    return kind == Verdict.Kind.HUNG ? MOST_TOO_EARLY_OF_HANGS : MOST_TOO_EARLY;
  }

  /** The store in flight before which recovery succeeds, and after which it fails. */
  private Optional<BlamedStore> brokenSince(long first, Verdict.Kind kind) {
    return moment.states().sample(CrashStates.FEW_LINES).stream()
        .flatMap(line -> line.stores().stream().map(store -> new BlamedStore(line, store)))
        .filter(one -> one.store().ordinal() < first)
        .sorted(Comparator.comparingLong((BlamedStore one) -> one.store().ordinal()).reversed())
        .limit(mostTooEarly(kind))
        .takeWhile(one -> moment.states().isProgramOrderBefore(one.store().ordinal()))
        .filter(one -> !failsBefore(one.store().ordinal()))
        .findFirst();
  }

  private void askForAdvice(KnownCulprits.Discovery here, JudgedState state, Culprit culprit) {
    knowledge.advice().addStore(state.fingerprint(), state.lost().get(0).store());
    if ((here.brokenBefore() && !isBrokenByIt(culprit)) || isWrongInBothOrders(culprit)) {
      boolean isOther =
          !isWrongInBothOrders(culprit) && judgedBefore(firstLost(culprit)).isPresent();
      knowledge.advice().addUnasked(state.fingerprint(), here, culprit, isOther);
      culprit.arrived().stream()
          .limit(1)
          .filter(there -> there.store().ordinal() < culprit.lost().get(0).store().ordinal())
          .filter(there -> breaksInOtherOrder(there, culprit.lost().get(0)))
          .forEach(
              there -> {
                knowledge.advice().refuteOrder(state.fingerprint());
                knowledge.advice().addWrongInBothOrders(here);
              });
    } else {
      knowledge.advice().add(here, state.fingerprint(), culprit);
    }
  }

  /** Whether it is no help to make the store that arrived first after the lost one. */
  private boolean isWrongInBothOrders(Culprit culprit) {
    BlamedStore lost = culprit.lost().get(0);
    return culprit.arrived().stream()
        .limit(1)
        .filter(there -> there.store().ordinal() < lost.store().ordinal())
        .anyMatch(there -> failsInOtherOrder(there, lost));
  }

  /** Whether recovery fails before the lost store only since what arrived is there too early. */
  private boolean isBrokenByIt(Culprit culprit) {
    return culprit.arrived().stream()
        .limit(1)
        .map(there -> there.store().ordinal())
        .anyMatch(there -> there < firstLost(culprit) && !isBrokenBefore(there));
  }

  private Optional<Judgement> prove(CrashState state, JudgedState named) {
    return oracle
        .prove(
            state,
            knowledge.workplace().directory().imageDirectory(moment.occurrence(), named.id()))
        .map(proof -> proof.withState(named));
  }

  /**
   * Whether a program that persists by system calls can get into a state only where its files are
   * mapped directly: recovery succeeds on all that was tried of what a disk could leave instead.
   */
  private boolean isOnDaxOnly(CrashState state) {
    return !moment.states().isCacheFlushed()
        && new Sectors(moment.states())
            .instead(state, MOST_SNAPSHOTS)
            .map(instead -> instead.stream().noneMatch(fails))
            .orElse(false);
  }

  /** Another state led to it. */
  private boolean isFoundHere(String id) {
    return findings.stream()
        .flatMap(finding -> finding.state().stream())
        .anyMatch(state -> state.id().equals(id));
  }

  /**
   * Where program order shows the same: a failure point before the lost stores, from whose image,
   * as from this state, they are missing, and with them nothing but what came in between. Up to
   * them recovery cannot cope.
   */
  private Optional<FailurePointId> shownBefore(Culprit culprit) {
    long first = firstLost(culprit);
    return isBrokenBefore(culprit)
        ? judgedBefore(first).or(() -> reachedBefore(first))
        : Optional.empty();
  }

  private Optional<FailurePointId> judgedBefore(long first) {
    CrashStates states = moment.states();
    return states.sample(CrashStates.FEW_LINES).stream()
        .flatMap(line -> line.stores().stream())
        .map(InFlightStore::ordinal)
        .filter(ordinal -> ordinal <= first)
        .distinct()
        .sorted(Comparator.reverseOrder())
        .limit(states.isFew() ? MOST_STORES_BACK : MOST_LARGE_STATES_BACK)
        .filter(ordinal -> images().passed(hashBefore(ordinal), moment.lastCut()).isPresent())
        .findFirst()
        .filter(this::isBrokenBefore)
        .flatMap(ordinal -> images().passed(hashBefore(ordinal), moment.lastCut()))
        .map(Occurrence::id);
  }

  private ImageHash hashBefore(long ordinal) {
    return oracle.hash(moment.states().before(ordinal));
  }

  /**
   * Not every occurrence is judged: the failure point right before the stores, if what was stored
   * since is in flight, and recovery fails without that, too. It may have shown the mistake at
   * another occurrence.
   */
  private Optional<FailurePointId> reachedBefore(long first) {
    Set<Long> inFlight =
        moment.states().sample(CrashStates.FEW_LINES).stream()
            .flatMap(line -> line.stores().stream())
            .map(InFlightStore::ordinal)
            .collect(Collectors.toUnmodifiableSet());
    long earliest = first;
    for (Happening before : Lists.reverse(moment.recent())) {
      boolean isStore = before.kind() == Timeline.Action.STORE;
      if (before.ordinal() < first && isStore && !inFlight.contains(before.ordinal())) {
        return Optional.empty();
      }
      if (before.ordinal() < first && isStore) {
        earliest = before.ordinal();
      } else if (before.ordinal() < first && before.stack() != 0) {
        FailurePointId id = knowledge.tables().stack(before.stack()).id();
        if (images().hasPassed(id, moment.lastCut())) {
          return isBrokenBefore(earliest) ? Optional.of(id) : Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private VerdictCache images() {
    return knowledge.judging().images();
  }

  /** Whether recovery fails right before the lost stores: then no flush after them helps. */
  private boolean isBrokenBefore(Culprit culprit) {
    return isBrokenBefore(firstLost(culprit));
  }

  /** What has persisted of later stores may be why recovery fails: that says nothing of before. */
  private boolean isBrokenBefore(long ordinal) {
    CrashStates states = moment.states();
    return states.isProgramOrderBefore(ordinal) && failsBefore(ordinal);
  }

  /** What was acknowledged since does not count: it was not known outside then. */
  private boolean failsBefore(long ordinal) {
    CrashState state = moment.states().before(ordinal);
    boolean saidMore =
        moment.acknowledged().filter(now -> now.before(ordinal).bytes() < now.bytes()).isPresent();
    return saidMore ? oracle.askBefore(ordinal).isFinding() : fails.test(state);
  }

  private static long firstLost(Culprit culprit) {
    return culprit.lost().stream().mapToLong(lost -> lost.store().ordinal()).min().orElseThrow();
  }

  private void seenAgain(String fingerprint) {
    boolean isFoundHere =
        findings.stream()
            .flatMap(finding -> finding.state().stream())
            .anyMatch(state -> state.fingerprint().equals(fingerprint));
    if (!isFoundHere) {
      again.add(fingerprint);
    }
  }
}
