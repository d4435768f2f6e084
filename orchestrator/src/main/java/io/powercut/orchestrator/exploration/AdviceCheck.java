// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.campaign.Campaign;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.changes.FollowingWrites;
import io.powercut.persistency.changes.GrowingWrites;
import io.powercut.persistency.changes.RunsOfLines;
import io.powercut.persistency.changes.ShortFlushes;
import io.powercut.persistency.changes.WithPersists;
import io.powercut.persistency.changes.WithSwap;
import io.powercut.persistency.changes.WithSyncs;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.format.Text;
import io.powercut.report.mistakes.CrashPlaces;
import io.powercut.report.rundir.StateLog;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tries advice before it is given: reads the stored trace once more, as if the program had the
 * flush or fence that is missing, or did two stores in the other order, and looks whether the
 * states of a finding are still possible. Where a thread has that flush or fence, but another one
 * comes between, there is nothing to add. The target is not run again, and recovery is not asked.
 */
public final class AdviceCheck {
  /** Of the advice to synchronise, so much is about names and what others are told. */
  private static final int ANNOUNCED = 3;

  /** So many places may have stored after a lost store, and be named. */
  private static final int MOST_BEHIND = 32;

  private final Campaign campaign;
  private final Resources resources;
  private final Progress progress;
  private final Path base;
  private final Path trace;

  /**
   * @param base the PM directory after set-up
   * @param trace the stored trace of the run
   */
  public AdviceCheck(
      Campaign campaign, Resources resources, Progress progress, Path base, Path trace) {
    this.campaign = campaign;
    this.resources = resources;
    this.progress = progress;
    this.base = base;
    this.trace = trace;
  }

  /** Ends the reading: what comes after the last finding is of no interest. */
  private static final class OverException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Adds the advice that holds to the findings in the log, and says in them what persists the lost
   * stores too late.
   */
  public void run(AdviceQuestions advice, StateLog log) throws IOException {
    sayWhereItRuns(advice, log);
    tryAll(advice, log);
    for (KnownCulprits.Discovery here : advice.wrongInBothOrders()) {
      change(
          place(here),
          found -> ofState(found, state -> state.withAdvice(BlameText.IN_NO_ORDER)),
          log);
    }
  }

  /**
   * Says in the findings in the log what the whole run has shown: whether instructions are what
   * persists a file, or system calls. Of a run whose trace is not stored, no more can be said.
   */
  public static void sayWhatPersists(AdviceQuestions advice, StateLog log) {
    sayWhereItRuns(advice, log);
    advice
        .notFlushed()
        .forEach(
            (here, culprit) ->
                change(
                    place(here),
                    found ->
                        ofState(
                            found,
                            state ->
                                retold(
                                    state,
                                    culprit,
                                    advice.flushes(culprit),
                                    Optional.empty(),
                                    Optional.empty())),
                    log));
  }

  private static void sayWhereItRuns(AdviceQuestions advice, StateLog log) {
    for (KnownCulprits.Discovery here : advice.onDaxAnyway()) {
      change(place(here), found -> ofState(found, JudgedState::onDaxAnyway), log);
    }
  }

  private void tryAll(AdviceQuestions advice, StateLog log) throws IOException {
    List<AdviceQuestions.Question> questions = advice.all();
    Map<KnownCulprits.Discovery, Culprit> notFlushed = advice.notFlushed();
    if (questions.isEmpty() && notFlushed.isEmpty()) {
      return;
    }
    progress.phase(
        "trying the advice for "
            + Text.counted(Math.max(questions.size(), notFlushed.size()), "finding"));
    Observation observation = Observation.ofNumbers();
    LatePersists late =
        new LatePersists(
            campaign.domain(),
            observation.tables(),
            notFlushed.values().stream().map(culprit -> culprit.lost().get(0)).toList());
    GrowingWrites growing =
        new GrowingWrites(
            Stream.concat(
                    notFlushed.values().stream(),
                    questions.stream().map(AdviceQuestions.Question::culprit))
                .map(culprit -> culprit.lost().get(0).store().ordinal())
                .collect(Collectors.toSet()));
    RunsOfLines runs = runsOfLines(notFlushed.values());
    Map<Place, JudgedState> written = written(advice, notFlushed, log);
    FollowingWrites<CrashPlaces.Line> writes =
        followingWrites(written.values(), observation.tables());
    LongerFlushes longer = new LongerFlushes(observation.tables());
    questions.forEach(
        question -> judged(place(question), log).ifPresent(state -> longer.ask(question, state)));
    Map<AdviceQuestions.Question, List<AdviceTrial>> trials = new LinkedHashMap<>();
    Map<AdviceQuestions.Question, OwnPersists> there = new HashMap<>();
    try (PrivateDirectory pages = resources.area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages)) {
      for (AdviceQuestions.Question question : questions) {
        trials.put(question, trials(question, state));
        if (question.flushes() && !question.isOrder()) {
          there.put(question, ownPersists(question));
        }
      }
      read(
          observation,
          trials,
          new Followers(there.values(), growing, runs, writes, late, longer),
          state);
    }
    there.entrySet().stream()
        .filter(persists -> persists.getValue().hold())
        .forEach(persists -> trials.remove(persists.getKey()));
    Map<Place, AdviceTrial.Advice> held = new LinkedHashMap<>();
    trials.forEach(
        (question, tried) ->
            tried.stream()
                .limit(reliesOnLength(question.culprit(), growing) ? ANNOUNCED : tried.size())
                .sorted(Comparator.comparing(AdviceTrial::fallsShort))
                .flatMap(trial -> trial.holding().stream())
                .findFirst()
                .ifPresent(told -> held.put(place(question), told)));
    Map<Place, ShortFlushes.Range> tooShort = new HashMap<>();
    trials
        .keySet()
        .forEach(
            question ->
                longer.of(question).ifPresent(range -> tooShort.put(place(question), range)));
    notFlushed.forEach(
        (here, culprit) -> {
          Place place = place(here);
          Optional<LatePersists.Late> when = late.of(culprit.lost().get(0));
          boolean isAppended =
              !held.containsKey(place) && !here.sinceOutput() && reliesOnLength(culprit, growing);
          Optional<LatePersists.Late> unadvised =
              when.map(one -> isAppended ? one.ofAppended() : one);
          List<List<StackFrame>> behind = behind(culprit, runs, observation.tables());
          List<List<StackFrame>> later =
              Optional.ofNullable(written.get(place))
                  .map(state -> behind(state, writes, written.values()))
                  .orElse(List.of());
          change(
              place,
              found ->
                  ofState(
                          found,
                          state ->
                              retold(
                                  state,
                                  culprit,
                                  advice.flushes(culprit),
                                  state.advice().isPresent() ? when : unadvised,
                                  late.failureOf(culprit.lost().get(0))))
                      .withTimeline(found.timeline().map(one -> one.withBehind(behind, later))),
              log);
        });
    held.forEach(
        (place, told) ->
            change(
                place,
                found ->
                    tooShort.containsKey(place)
                        ? longer.advise(found, tooShort.get(place))
                        : ofState(found, state -> state.withAdvice(told.text(), told.newName())),
                log));
  }

  private static RunsOfLines runsOfLines(Collection<Culprit> notFlushed) {
    RunsOfLines runs = new RunsOfLines();
    for (Culprit culprit : notFlushed) {
      runs.ask(
          culprit.lost().get(0).store().code(),
          culprit.arrived().stream().map(there -> there.store().code()).toList());
    }
    return runs;
  }

  /** Who always stored after the first lost store to its run of lines. */
  private static List<List<StackFrame>> behind(
      Culprit culprit, RunsOfLines runs, TraceTables tables) {
    return runs.behind(culprit.lost().get(0).store().code()).stream()
        .map(code -> Timelines.frames(tables.stack(code.stack(), code.site())))
        .distinct()
        .limit(MOST_BEHIND)
        .toList();
  }

  /** The states that lost what only a system call persists. */
  private static Map<Place, JudgedState> written(
      AdviceQuestions advice, Map<KnownCulprits.Discovery, Culprit> notFlushed, StateLog log) {
    Map<Place, JudgedState> written = new LinkedHashMap<>();
    notFlushed.forEach(
        (here, culprit) -> {
          Place place = place(here);
          if (!advice.flushes(culprit)) {
            judged(place, log).ifPresent(state -> written.put(place, state));
          }
        });
    return written;
  }

  private static Optional<JudgedState> judged(Place place, StateLog log) {
    return log.find(place.occurrence()).stream()
        .flatMap(line -> line.findings().stream())
        .filter(finding -> isOf(place, finding))
        .flatMap(finding -> finding.state().stream())
        .findFirst();
  }

  private static FollowingWrites<CrashPlaces.Line> followingWrites(
      Collection<JudgedState> written, TraceTables tables) {
    FollowingWrites<CrashPlaces.Line> writes =
        new FollowingWrites<>(
            code -> CrashPlaces.Line.of(TargetStack.of(tables.stack(code.stack(), code.site()))));
    for (JudgedState state : written) {
      List<CrashPlaces.Line> early =
          state.arrived().stream().limit(1).flatMap(there -> line(there).stream()).toList();
      line(state.lost().get(0)).ifPresent(lost -> writes.ask(lost, early));
    }
    return writes;
  }

  private static Optional<CrashPlaces.Line> line(JudgedState.Store store) {
    return CrashPlaces.Line.of(store.store().stack());
  }

  /** Who always wrote to the file of the first lost store behind it, among these. */
  private static List<List<StackFrame>> behind(
      JudgedState state,
      FollowingWrites<CrashPlaces.Line> writes,
      Collection<JudgedState> written) {
    Set<CrashPlaces.Line> behind = line(state.lost().get(0)).map(writes::behind).orElse(Set.of());
    Map<CrashPlaces.Line, List<StackFrame>> stacks = new LinkedHashMap<>();
    for (JudgedState other : written) {
      JudgedState.Store lost = other.lost().get(0);
      line(lost)
          .filter(behind::contains)
          .ifPresent(place -> stacks.putIfAbsent(place, lost.store().stack()));
    }
    return stacks.values().stream().limit(MOST_BEHIND).toList();
  }

  /** What follows the trace beside the trials. */
  private record Followers(
      Collection<OwnPersists> persists,
      GrowingWrites growing,
      RunsOfLines runs,
      FollowingWrites<CrashPlaces.Line> writes,
      LatePersists late,
      LongerFlushes longer) {
    List<TraceConsumer> all() {
      List<TraceConsumer> all = new ArrayList<>(persists);
      all.add(growing);
      all.add(runs);
      all.add(writes);
      all.add(late.consumer());
      all.add(longer.consumer());
      return all;
    }

    /** Whether nothing that comes can change what they say. */
    boolean areDecided() {
      return runs.areDecided()
          && writes.areDecided()
          && late.areDecided()
          && longer.areDecided()
          && persists.stream().allMatch(OwnPersists::areDecided);
    }
  }

  /** Where a finding was found: in a state, at an occurrence of a failure point. */
  private record Place(Occurrence occurrence, String state) {}

  private static Place place(KnownCulprits.Discovery here) {
    return new Place(here.occurrence(), here.state());
  }

  private static Place place(AdviceQuestions.Question question) {
    return new Place(question.occurrence(), question.state());
  }

  /**
   * Whether nothing else was stored that relies on the first lost store, and its write made the
   * file longer: recovery fails since that is there at once. No synchronisation can come between.
   */
  private static boolean reliesOnLength(Culprit culprit, GrowingWrites growing) {
    BlamedStore lost = culprit.lost().get(0);
    return culprit.arrived().isEmpty()
        && growing.made(lost.store().ordinal(), lost.line().location());
  }

  /** What the rest of the run persists says more than what was known where the power was cut. */
  private static JudgedState retold(
      JudgedState found,
      Culprit culprit,
      boolean flushes,
      Optional<LatePersists.Late> late,
      Optional<LatePersists.Failure> failure) {
    BlameText text = new BlameText(culprit, found.lost(), found.arrived(), flushes, late);
    JudgedState retold =
        found
            .withRemedy(text.remedy(failure), text.traits())
            .persistedAt(
                late.filter(LatePersists.Late::tooLate)
                    .map(when -> TargetStack.of(when.stack()))
                    .orElse(List.of()));
    return found.advice().map(retold::withAdvice).orElse(retold);
  }

  /** Of what was lost wherever the finding showed. */
  private static OwnPersists ownPersists(AdviceQuestions.Question question) {
    Set<Long> lost = new HashSet<>();
    lost.add(question.culprit().lost().get(0).store().ordinal());
    question.sightings().forEach(sighting -> lost.add(sighting.lost()));
    return new OwnPersists(lost);
  }

  private void read(
      Observation observation,
      Map<AdviceQuestions.Question, List<AdviceTrial>> trials,
      Followers others,
      PmState state)
      throws IOException {
    List<AdviceTrial> all = trials.values().stream().flatMap(List::stream).toList();
    Set<Occurrence> awaited = new HashSet<>();
    trials.keySet().forEach(question -> awaited.addAll(question.occurrences()));
    Object2LongOpenHashMap<FailurePointId> occurrences = new Object2LongOpenHashMap<>();
    List<TraceConsumer> followers = new ArrayList<>(all);
    followers.addAll(others.all());
    followers.add(new ProgramOrder(state));
    try {
      new TraceReading(campaign.failurePoints(), observation)
          .read(
              TraceReader.of(trace),
              InstrumentedRun.emptyTree(campaign),
              (ordinal, stack, instruction, isNew) -> {
                Occurrence occurrence =
                    new Occurrence(stack.id(), occurrences.addTo(stack.id(), 1) + 1);
                if (awaited.remove(occurrence)) {
                  all.forEach(trial -> trial.at(occurrence));
                  others.longer().at(occurrence);
                }
                if (awaited.isEmpty() && others.areDecided()) {
                  throw new OverException();
                }
              },
              followers);
      if (awaited.contains(Occurrence.END)) {
        all.forEach(trial -> trial.at(Occurrence.END));
      }
    } catch (OverException e) {
      resources.checkInterrupted();
    }
    others.runs().end();
  }

  /** What may be advised, the smallest change first. */
  private List<AdviceTrial> trials(AdviceQuestions.Question question, PmState state) {
    BlamedStore lost = question.culprit().lost().get(0);
    Optional<BlamedStore> there = question.culprit().arrived().stream().findFirst();
    StoreCode code = lost.store().code();
    if (question.isOrder()) {
      StoreCode early = there.orElseThrow().store().code();
      if (early.equals(code)) {
        return List.of();
      }
      boolean sameLine = there.orElseThrow().line().location() == lost.line().location();
      boolean sameBytes =
          sameLine && (there.orElseThrow().store().bytes() & lost.store().bytes()) != 0;
      CacheLineTracker model = model(state);
      WithSwap swap = new WithSwap(early, code, !sameLine, model);
      // In the other order the same bytes would end with the earlier value.
      String inOneLine =
          sameBytes
              ? "store the final value at once; both stores change the same bytes"
              : "store in the other order; one cache line persists in store order";
      String advice =
          sameLine
              ? inOneLine
              : "make the store that may persist alone after the other one, and after "
                  + (question.flushes() ? "a flush and a fence of that" : "msync or fsync of that");
      return List.of(
          new AdviceTrial(
              () -> AdviceTrial.Advice.of(advice), question, model, swap, Optional.of(swap)));
    }
    Optional<String> several = question.stores().inWords();
    if (!question.flushes()) {
      AdviceTrial rightAfter =
          trial(
              question,
              state,
              WithPersists.Added.FLUSH_AND_FENCE,
              call(lost.store()) + " right after " + several.orElse("the store"));
      return there.isPresent()
          ? List.of(rightAfter)
          : List.of(
              syncBefore(question, state, WithSyncs.Before.OWN_NAME),
              syncBefore(question, state, WithSyncs.Before.ANNOUNCEMENT),
              syncBefore(question, state, WithSyncs.Before.OTHER_FILES),
              syncBefore(question, state, WithSyncs.Before.ANY_CHANGE),
              rightAfter);
    }
    if (lost.isFlushed()) {
      return List.of(
          trial(
              question,
              state,
              WithPersists.Added.FENCE,
              lost.store().isNonTemporal()
                  ? "add a fence after the store"
                  : "add a fence after the flush"));
    }
    return List.of(
        trial(
            question,
            state,
            WithPersists.Added.FLUSH,
            several
                .map(all -> "add a flush after " + all + "; the fence they need already follows")
                .orElse(
                    "add a flush of its line after the store; the fence it needs already"
                        + " follows")),
        trial(
            question,
            state,
            WithPersists.Added.FLUSH_AND_FENCE,
            several
                .map(all -> "add a flush and a fence after " + all)
                .orElse("add a flush of its line and a fence after the store")));
  }

  private AdviceTrial trial(
      AdviceQuestions.Question question, PmState state, WithPersists.Added added, String advice) {
    CacheLineTracker model = model(state);
    return new AdviceTrial(
        () -> AdviceTrial.Advice.of(advice),
        question,
        model,
        new WithPersists(question.codes(), added, model),
        Optional.empty());
  }

  /** Where no other store has to be there, a new name or an output may announce the lost one. */
  private AdviceTrial syncBefore(
      AdviceQuestions.Question question, PmState state, WithSyncs.Before what) {
    CacheLineTracker model = model(state);
    InFlightStore lost = question.culprit().lost().get(0).store();
    String call = call(lost);
    WithSyncs syncs = new WithSyncs(question.codes(), lost.ordinal(), what, model);
    return new AdviceTrial(
        () ->
            syncs
                .announcement()
                .map(text -> new AdviceTrial.Advice(call + " before " + text, syncs.change())),
        question,
        model,
        syncs,
        Optional.empty());
  }

  private static String call(InFlightStore lost) {
    boolean isWritten = (lost.flags() & StoreFlags.FILE_WRITE) != 0;
    return isWritten ? "call fsync on the file" : "call msync or fsync for it";
  }

  private CacheLineTracker model(PmState state) {
    return new CacheLineTracker(campaign.domain(), state);
  }

  private static void change(Place place, UnaryOperator<Judgement> change, StateLog log) {
    log.find(place.occurrence())
        .ifPresent(
            line ->
                log.add(
                    line.withFindings(
                        line.findings().stream()
                            .map(finding -> isOf(place, finding) ? change.apply(finding) : finding)
                            .toList())));
  }

  private static boolean isOf(Place place, Judgement finding) {
    return finding.state().filter(one -> one.id().equals(place.state())).isPresent();
  }

  private static Judgement ofState(Judgement finding, UnaryOperator<JudgedState> change) {
    return finding.state().map(one -> finding.withState(change.apply(one))).orElse(finding);
  }
}
