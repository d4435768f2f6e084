// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.metadata.LostMetadataSearch;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.choice.StatePolicy;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.WholeBlocks;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The exploration of one moment. For one thread. */
final class Exploration implements UnreadLines.Asker, CompleteSearch.Recovery {
  /** In one state. */
  private static final int MOST_MISTAKES = 8;

  private final CrashPoint moment;
  private final RecordedImages places;
  private final MomentBlame.Knowledge knowledge;
  private final Pruning pruning;
  private final Searches searches;
  private final MomentOracle oracle;
  private final MomentBlame blame;
  private final WholeBlocks blocks;
  private final Map<String, Integer> chosen = new LinkedHashMap<>();
  private final Optional<UnreadLines> unreadLines;
  private final boolean isSearched;
  private final List<Judgement> losses = new ArrayList<>();
  private int unread;
  private int failing;

  /**
   * @param places where images are made
   * @param watch of the run that judged program order; nothing if there was none
   */
  Exploration(
      CrashPoint moment,
      RecordedImages places,
      MomentBlame.Knowledge knowledge,
      Pruning.Both pruning,
      Searches searches,
      Optional<ReadsWatch> watch) {
    this.moment = moment;
    this.places = places;
    this.knowledge = knowledge;
    this.searches = searches;
    this.isSearched = searches.isOpen(moment.occurrence());
    this.pruning = pruning.at(isSearched);
    this.oracle = new MomentOracle(moment, places, knowledge.judging());
    this.blame = new MomentBlame(moment, knowledge, oracle, this::fails);
    this.blocks = new WholeBlocks(moment.states());
    this.unreadLines =
        this.pruning
            .reads()
            .map(
                recovery ->
                    new UnreadLines(moment, places, recovery, searches.reads(), watch, this));
  }

  /**
   * Tries what changes of metadata may be undone.
   *
   * @return false if there is no budget for it
   */
  boolean judgeLosses() {
    if (moment.losses().isEmpty()) {
      return true;
    }
    if (!knowledge.judging().budget().spendState()) {
      return false;
    }
    LostMetadataSearch search =
        new LostMetadataSearch(
            moment,
            places,
            new LostMetadataSearch.Knowledge(
                knowledge.workplace(), knowledge.judging(), knowledge.tables()),
            oracle.session());
    search.find().ifPresent(losses::add);
    chosen.merge(LostMetadata.POLICY, 1, Integer::sum);
    failing += search.failing() > 0 ? 1 : 0;
    return true;
  }

  StateVerdicts verdicts(boolean complete, boolean decided) {
    OracleSession session = oracle.session();
    return new StateVerdicts(
        moment.occurrence().id(),
        moment.occurrence().number(),
        moment.occurrence().order(),
        chosen,
        left(),
        session.recoveries(),
        unread,
        failing,
        Stream.concat(blame.findings().stream(), losses.stream()).toList(),
        blame.again(),
        session.inconclusive(),
        complete,
        decided);
  }

  private Map<String, Long> left() {
    Map<String, Long> left = new LinkedHashMap<>();
    moment.candidates().left().forEach((policy, count) -> left.put(policy.toString(), count));
    return left;
  }

  /** Whether every state that a power cut may leave is decided; has more of them judged. */
  boolean decidesAll() {
    if (isInconclusive()) {
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

  private boolean isInconclusive() {
    return !oracle.session().inconclusive().isEmpty();
  }

  private boolean isRefuted(CompleteSearch.Alike alike) {
    return isRefuted(oracle.ask(alike.judged()), alike.state());
  }

  @Override
  public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
    try {
      boolean isJudged = state.isProgramOrder() || oracle.isKnown(state);
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
    knowledge.workplace().resources().checkInterrupted();
    if (!knowledge.judging().budget().spendState()) {
      return Optional.empty();
    }
    try {
      CompleteSearch.Reads reads =
          unreadLines.isPresent()
              ? unreadLines.get().find(state, isThorough)
              : location -> LineRead.ALL;
      boolean isDecided = state.isProgramOrder() || judgeWhole(state, reads);
      return isInconclusive() || !isDecided ? Optional.empty() : Optional.of(reads);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Judges a state. If it tears a block, it stands for those that do not and that recovery reads as
   * this; one of them is judged, if there are any.
   *
   * @return whether that decides all for which it stands
   */
  private boolean judgeWhole(CrashState state, CompleteSearch.Reads reads) {
    Optional<CrashState> whole = blocks.whole(state, location -> reads.of(location).bytes());
    whole
        .filter(one -> !one.isProgramOrder())
        .ifPresent(one -> judge(new Candidate(StatePolicy.COMPLETE, one)));
    // There may be others on which the conditions hold.
    return reads.conditions().isEmpty()
        || whole.filter(state::equals).isPresent()
        || !ask(state).isFinding()
        || whole.filter(one -> ask(one).isFinding()).isPresent();
  }

  /** Judges one state, and blames what recovery cannot cope with. */
  void judge(Candidate candidate) {
    chosen.merge(candidate.policy().toString(), 1, Integer::sum);
    CrashState read = withoutUnread(candidate.state());
    Verdict.Kind kind = ask(read);
    if (!read.equals(candidate.state())) {
      unread++;
      if (!oracle.isKnown(candidate.state())) {
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
      read = blame.rest(new Candidate(candidate.policy(), read), kind);
      kind = ask(read);
    }
  }

  /** Recovery succeeds on program order, or there would be nothing to explore. */
  private Verdict.Kind ask(CrashState state) {
    return state.isProgramOrder() ? Verdict.Kind.CONSISTENT : oracle.ask(state);
  }

  private CrashState withoutUnread(CrashState state) {
    try {
      return unreadLines.isPresent() && state.isFew() ? unreadLines.get().without(state) : state;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether recovery cannot cope with a state. A run on one that it cannot tell from it will do: so
   * lines that it does not read are not to blame.
   */
  private boolean fails(CrashState state) {
    Optional<CrashState> alike =
        oracle.isKnown(state) || pruning.reads().isEmpty()
            ? Optional.empty()
            : unreadLines.flatMap(lines -> lines.alike(state));
    if (alike.isEmpty()) {
      return ask(state).isFinding();
    }
    pruning.spared();
    Verdict.Kind kind = ask(alike.get());
    boolean isWrong = pruning.isChecked() && isRefuted(kind, state);
    return isWrong ? ask(state).isFinding() : kind.isFinding();
  }

  /** Whether recovery can tell a state from the one that it was taken for. */
  private boolean isRefuted(Verdict.Kind kind, CrashState whole) {
    pruning.spent();
    Verdict.Kind real = ask(whole);
    boolean isKnown = kind != Verdict.Kind.INCONCLUSIVE && real != Verdict.Kind.INCONCLUSIVE;
    if (isKnown && real.isFinding() != kind.isFinding()) {
      pruning.refute();
      oracle
          .session()
          .note(
              "recovery judges states unlike that differ only in lines it does not read;"
                  + " from here on all states are judged");
      return true;
    }
    return false;
  }

  @Override
  public Effort effort() {
    return isSearched ? Effort.FOLLOWED : Effort.USUAL;
  }

  @Override
  public void learned(Function<ImageLine, Optional<Long>> reads) {
    if (moment.states().isFew()) {
      searches
          .stores()
          .add(
              moment.states().lines(),
              line ->
                  reads.apply(
                      ImageLine.of(
                          moment.pathOf(line.location()), Location.offset(line.location()))),
              knowledge.tables()::stack);
    }
  }

  @Override
  public void countRun() {
    oracle.session().countRun();
    pruning.spent();
  }

  @Override
  public void countWatched(ReadsWatch reading, boolean isWanted) {
    pruning.watched(reading.answer().isPresent());
    if (!isWanted) {
      pruning.spent();
    }
  }

  @Override
  public Verdict.Kind ask(CrashState state, Optional<ReadsWatch> watch) {
    return oracle.ask(state, watch);
  }
}
