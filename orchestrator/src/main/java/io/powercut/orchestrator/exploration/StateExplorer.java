// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.image.CrashImage;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.LineRead;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.blame.CulpritSearch;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.choice.StatePolicy;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.Sectors;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.identity.FailureReason;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Judges the chosen crash states of a failure point, and finds out what is to blame for those that
 * recovery cannot handle. Safe for use by several threads.
 */
public final class StateExplorer {
  private static final int MOST_PROBES = 500;

  /** So far program order is followed back from a lost store. */
  private static final int MOST_STORES_BACK = 256;

  /** The same where each of the states has very many lines. */
  private static final int MOST_LARGE_STATES_BACK = 4;

  /** In one state. */
  private static final int MOST_MISTAKES = 8;

  /** Each of these takes as long as recovery may. */
  private static final int MOST_PROBES_OF_HANGS = 20;

  /** So many stores are tried as what is there too early, at so many failures for one reason. */
  private static final int MOST_TOO_EARLY = 8;

  private static final int MOST_ALIKE = 4;

  /** So many states are tried that a disk could leave in the place of one. */
  private static final int MOST_SNAPSHOTS = 16;

  private final Workplace workplace;
  private final Judging judging;
  private final Pruning pruning;
  private final Searches searches;
  private final TraceTables tables;
  private final KnownCulprits culprits;
  private final AdviceQuestions advice;

  /** By what recovery said, how often it was explained. */
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();

  /**
   * @param workplace where images of bugs go
   * @param options how states are explored
   * @param tables what the numbers of the moments' stores mean
   * @param culprits what is known of them, which this adds to
   * @param advice gets the findings for which advice can be tried
   */
  public StateExplorer(
      Workplace workplace,
      Judging judging,
      StateOptions options,
      TraceTables tables,
      KnownCulprits culprits,
      AdviceQuestions advice) {
    this.workplace = workplace;
    this.judging = judging;
    this.pruning = new Pruning(options.reads(), !options.searches().isWanted());
    this.searches = options.searches();
    this.tables = tables;
    this.culprits = culprits;
    this.advice = advice;
  }

  /**
   * Whether there is something to explore at a moment: candidates, or other states by which all may
   * be decided.
   *
   * @param states that are possible there
   */
  public boolean explores(CrashStates states, Candidates candidates) {
    return !candidates.isEmpty()
        || (searches.isWanted() && !states.isEmpty() && CompleteSearch.isPossible(states));
  }

  /**
   * Judges the candidates of a moment, and others by which all states are decided.
   *
   * @param moment at which recovery succeeds on program order
   * @param places where its images are made
   * @param watch what {@link #watch} wanted of the run that judged program order; nothing if there
   *     was none
   */
  public void explore(CrashPoint moment, RecordedImages places, Optional<ReadsWatch> watch) {
    Exploration exploration = new Exploration(moment, places, watch);
    boolean complete = true;
    for (Candidate candidate : moment.candidates().states()) {
      workplace.resources().checkInterrupted();
      if (!judging.budget().spendState()) {
        complete = false;
        break;
      }
      exploration.judge(candidate);
    }
    judging.results().explored(exploration.verdicts(complete, exploration.decidesAll()));
  }

  /**
   * What is worth to be known of the run that judges program order at a moment: which of the lines
   * it reads in which candidates differ. Nothing if that is not used.
   */
  public Optional<ReadsWatch> watch(CrashPoint moment) {
    // For the search alone it is not watched any more when the search has no time left.
    boolean isUseful =
        explores(moment.states(), moment.candidates())
            && (!moment.candidates().isEmpty() || isSearched(moment));
    return isUseful
        ? pruning
            .reads()
            .flatMap(reads -> reads.besideJudging(UnreadLines.asked(moment), effort(moment)))
        : Optional.empty();
  }

  /** Of runs that judge anyway: what follows them closely is needed by the search alone. */
  private Effort effort(CrashPoint moment) {
    return isSearched(moment) ? Effort.FOLLOWED : Effort.USUAL;
  }

  private boolean isSearched(CrashPoint moment) {
    return searches.isOpen(moment.occurrence());
  }

  /**
   * A bug in program order with what happened before, and with a store that is in flight there and
   * without which recovery succeeds, if there is one. Of many that fail for one reason, only the
   * first are explained.
   *
   * @param bug what recovery made of the program-order image there
   */
  public Judgement explained(CrashPoint moment, RecordedImages places, Judgement bug) {
    if (!mayExplain(FailureReason.of(bug))) {
      return bug;
    }
    Judgement drawn = bug.withTimeline(new Timelines(tables, moment).ofProgramOrder());
    return bug.kind() == Verdict.Kind.HUNG || !judging.budget().isLeft()
        ? drawn
        : drawn.withTooEarly(new Exploration(moment, places, Optional.empty()).tooEarly());
  }

  private boolean mayExplain(String reason) {
    return asked.merge(reason, 1, Integer::sum) <= MOST_ALIKE;
  }

  /** The exploration of one moment. */
  private final class Exploration implements UnreadLines.Asker, CompleteSearch.Recovery {
    private final CrashPoint moment;
    private final StateNames names;
    private final RecordedImages places;
    private final Map<String, Integer> chosen = new LinkedHashMap<>();
    private final List<Judgement> findings = new ArrayList<>();
    private final Set<String> again = new LinkedHashSet<>();
    private final OracleSession inquiry;
    private final Optional<UnreadLines> unreadLines;
    private final Optional<ExpectedDumps> expected;
    private final boolean isSearched;
    private int unread;
    private int failing;

    Exploration(CrashPoint moment, RecordedImages places, Optional<ReadsWatch> watch) {
      this.moment = moment;
      this.isSearched = isSearched(moment);
      this.names = new StateNames(tables, moment, judging.identity());
      this.inquiry = new OracleSession(judging.judge(), judging.images(), moment.occurrence());
      this.places = places;
      this.expected = moment.expected(judging.judge(), places);
      this.unreadLines =
          pruning
              .reads()
              .map(
                  recovery ->
                      new UnreadLines(moment, places, recovery, searches.reads(), watch, this));
    }

    StateVerdicts verdicts(boolean complete, boolean decided) {
      return new StateVerdicts(
          moment.occurrence().id(),
          moment.occurrence().number(),
          moment.occurrence().order(),
          chosen,
          left(),
          inquiry.recoveries(),
          unread,
          failing,
          findings,
          List.copyOf(again),
          inquiry.inconclusive(),
          complete,
          decided);
    }

    /** Whether every state that a power cut may leave is decided; has more of them judged. */
    boolean decidesAll() {
      if (!inquiry.inconclusive().isEmpty()) {
        return false;
      }
      int runs = unreadLines.isPresent() && isSearched ? searches.runs() : 0;
      CompleteSearch search = new CompleteSearch(moment.states(), this, runs);
      long begin = System.nanoTime();
      boolean isDecided = search.decidesAll();
      boolean isChecked = isDecided && search.sample().isPresent() && pruning.isChecked();
      boolean isSo = isDecided && !(isChecked && isRefuted(search.sample().get()));
      if (runs > 0) {
        searches.ended(moment.occurrence(), Duration.ofNanos(System.nanoTime() - begin), isSo);
      } else {
        searches.passed(moment.occurrence(), isSo);
      }
      return isSo;
    }

    private boolean isRefuted(CompleteSearch.Alike alike) {
      return isRefuted(ask(alike.judged()), alike.state());
    }

    @Override
    public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
      try {
        boolean isJudged = state.isProgramOrder() || isKnown(state);
        if (!isJudged || whole) {
          return isJudged ? Optional.of(location -> LineRead.ALL) : Optional.empty();
        }
        return unreadLines.isPresent() ? unreadLines.get().known(state) : Optional.empty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public List<CrashState> judged() {
      return unreadLines.map(UnreadLines::states).orElse(List.of());
    }

    @Override
    public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
      workplace.resources().checkInterrupted();
      if (!judging.budget().spendState()) {
        return Optional.empty();
      }
      try {
        CompleteSearch.Reads reads =
            unreadLines.isPresent()
                ? unreadLines.get().find(state, isThorough)
                : location -> LineRead.ALL;
        if (!state.isProgramOrder()) {
          judge(new Candidate(StatePolicy.COMPLETE, state));
        }
        return inquiry.inconclusive().isEmpty() ? Optional.of(reads) : Optional.empty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private Map<String, Long> left() {
      Map<String, Long> left = new LinkedHashMap<>();
      moment.candidates().left().forEach((policy, count) -> left.put(policy.toString(), count));
      return left;
    }

    void judge(Candidate candidate) {
      chosen.merge(candidate.policy().toString(), 1, Integer::sum);
      CrashState read = withoutUnread(candidate.state());
      Verdict.Kind kind = read.isProgramOrder() ? Verdict.Kind.CONSISTENT : ask(read);
      if (!read.equals(candidate.state())) {
        unread++;
        if (!isKnown(candidate.state())) {
          pruning.spared();
        }
        if (pruning.isChecked() && isRefuted(kind, candidate.state())) {
          read = candidate.state();
          kind = ask(read);
        }
      }
      failing += kind.isFinding() ? 1 : 0;
      // One state may show several mistakes: what is left without the first may fail, too.
      for (int mistake = 0; mistake < MOST_MISTAKES && kind.isFinding(); mistake++) {
        CrashState left = withoutKnown(read);
        if (left.equals(read)) {
          left = without(read, blame(new Candidate(candidate.policy(), read), kind));
        }
        read = left;
        kind = read.isProgramOrder() ? Verdict.Kind.CONSISTENT : ask(read);
      }
    }

    private boolean isKnown(CrashState state) {
      return judging.images().probe(VerdictCache.Key.of(hash(state), moment)).isPresent();
    }

    /** Whether recovery can tell a state from the one that it was taken for. */
    private boolean isRefuted(Verdict.Kind kind, CrashState whole) {
      pruning.spent();
      Verdict.Kind real = ask(whole);
      boolean isKnown = kind != Verdict.Kind.INCONCLUSIVE && real != Verdict.Kind.INCONCLUSIVE;
      if (isKnown && real.isFinding() != kind.isFinding()) {
        pruning.refute();
        inquiry.note(
            "recovery judges states unlike that differ only in lines it does not read;"
                + " from here on all states are judged");
        return true;
      }
      return false;
    }

    /** The last stores, one at a time. */
    Optional<EarlyStore> tooEarly() {
      return moment.states().sample(CrashStates.FEW_LINES).stream()
          .flatMap(line -> line.stores().stream().map(store -> new BlamedStore(line, store)))
          .sorted(Comparator.comparingLong((BlamedStore one) -> one.store().ordinal()).reversed())
          .limit(MOST_TOO_EARLY)
          .filter(
              one ->
                  ask(CrashState.of(List.of(one.line().losing(one.store()))))
                      == Verdict.Kind.CONSISTENT)
          .findFirst()
          .map(names::earlyStore);
    }

    private CrashState without(CrashState state, CrashState part) {
      return part.isFew()
          ? state.without(
              part.differences().stream().map(LineDifference::location).collect(Collectors.toSet()))
          : CrashState.of(List.of()); // What is left of it is not known.
    }

    private CrashState withoutUnread(CrashState state) {
      try {
        return unreadLines.isPresent() && state.isFew() ? unreadLines.get().without(state) : state;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /**
     * What is left of a state without the parts that show known culprits, which are seen again. All
     * of them go at once: to ask what is left after each would double the recoveries of a state
     * with many mistakes.
     */
    private CrashState withoutKnown(CrashState state) {
      CrashState left = state;
      for (KnownCulprits.Known known : culprits.all()) {
        Optional<CrashState> part = known.in(left);
        if (part.isPresent() && isToBlame(known, part.get(), state)) {
          seenAgain(known.fingerprint());
          advice.seenAgain(known.first(), moment.occurrence(), part.get());
          left = without(left, part.get());
        }
      }
      return left;
    }

    /** One that only direct mapping shows is news where a disk could leave the state, too. */
    private boolean isToBlame(KnownCulprits.Known known, CrashState part, CrashState failing) {
      return (part.equals(failing) || fails(part))
          && (!known.first().daxOnly() || isOnDaxOnly(part));
    }

    /** Finds who is to blame, and returns the part of the state that shows it. */
    private CrashState blame(Candidate candidate, Verdict.Kind kind) {
      int probes = kind == Verdict.Kind.HUNG ? MOST_PROBES_OF_HANGS : MOST_PROBES;
      Culprit culprit =
          new CulpritSearch(moment.states(), this::fails, probes).search(candidate.state());
      if (culprit.lost().isEmpty()) {
        inquiry.note("the lost stores are no longer known");
        return culprit.state();
      }
      if (isFoundHere(names.id(culprit.state()))) {
        return culprit.state();
      }
      boolean daxOnly = isOnDaxOnly(culprit.state());
      JudgedState state = names.judgedState(candidate, culprit, shownBefore(culprit), daxOnly);
      Optional<Judgement> proof =
          prove(culprit.state(), state)
              .map(one -> one.withTimeline(new Timelines(tables, moment).of(culprit)));
      if (proof.isPresent()) {
        KnownCulprits.Discovery here =
            new KnownCulprits.Discovery(moment.occurrence(), state.id(), daxOnly);
        culprits.add(culprit, state.fingerprint(), here);
        findings.add(proof.get());
        if (state.hasCause()
            && state.advice().isEmpty()
            && culprit.state().isFew()
            && !isBrokenBefore(culprit)) {
          advice.add(here, culprit, moment.states().isCacheFlushed());
        }
      }
      return culprit.state();
    }

    /**
     * Whether a program that persists by system calls can get into a state only where its files are
     * mapped directly: recovery succeeds on all that was tried of what a disk could leave instead.
     */
    private boolean isOnDaxOnly(CrashState state) {
      return !moment.states().isCacheFlushed()
          && new Sectors(moment.states())
              .instead(state, MOST_SNAPSHOTS)
              .map(instead -> instead.stream().noneMatch(this::fails))
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
      CrashStates states = moment.states();
      long first = firstLost(culprit);
      if (!isBrokenBefore(culprit)) {
        return Optional.empty();
      }
      return states.sample(CrashStates.FEW_LINES).stream()
          .flatMap(line -> line.stores().stream())
          .map(InFlightStore::ordinal)
          .filter(ordinal -> ordinal <= first)
          .distinct()
          .sorted(Comparator.reverseOrder())
          .limit(states.isFew() ? MOST_STORES_BACK : MOST_LARGE_STATES_BACK)
          .flatMap(
              ordinal ->
                  judging
                      .images()
                      .passed(hash(states.before(ordinal)), moment.occurrence())
                      .stream())
          .map(Occurrence::id)
          .findFirst();
    }

    /** Whether recovery fails right before the lost stores: then no flush after them helps. */
    private boolean isBrokenBefore(Culprit culprit) {
      return fails(moment.states().before(firstLost(culprit)));
    }

    private static long firstLost(Culprit culprit) {
      return culprit.lost().stream().mapToLong(lost -> lost.store().ordinal()).min().orElseThrow();
    }

    private ImageHash hash(CrashState state) {
      try (CrashImage image = moment.image().with(state)) {
        return image.hash();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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

    private boolean fails(CrashState state) {
      return ask(state).isFinding();
    }

    @Override
    public Effort effort() {
      return isSearched ? Effort.FOLLOWED : Effort.USUAL;
    }

    @Override
    public void countRun() {
      inquiry.countRun();
      pruning.spent();
    }

    @Override
    public void countWatched(ReadsWatch reading, boolean isWanted) {
      pruning.watched(reading.answer().isPresent());
      if (!isWanted) {
        pruning.spent();
      }
    }

    private Verdict.Kind ask(CrashState state) {
      return ask(state, Optional.empty());
    }

    @Override
    public Verdict.Kind ask(CrashState state, Optional<ReadsWatch> watch) {
      try (CrashImage image = moment.image().with(state)) {
        return inquiry.ask(
            VerdictCache.Key.of(image.hash(), moment), copies(image).watching(watch));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private RecordedImages.Copies copies(CrashImage image) {
      return places.of(image, moment.acknowledged()).expecting(expected);
    }

    private Optional<Judgement> prove(CrashState state, JudgedState named) {
      try (CrashImage image = moment.image().with(state)) {
        return inquiry
            .prove(
                copies(image),
                image.hash(),
                workplace.directory().imageDirectory(moment.occurrence(), named.id()))
            .map(proof -> proof.withState(named));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
