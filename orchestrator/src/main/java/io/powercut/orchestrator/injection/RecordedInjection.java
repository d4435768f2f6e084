// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.io.Closer;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.exploration.AdviceCheck;
import io.powercut.orchestrator.exploration.AdviceQuestions;
import io.powercut.orchestrator.exploration.KnownCulprits;
import io.powercut.orchestrator.exploration.StateExplorer;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.QuiescentPoints;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.nestedcrash.RecoveryCrashChoice;
import io.powercut.orchestrator.nestedcrash.RecoveryCrashes;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.Phases;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.LockingCode;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.StartUp;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Injection from one recorded run: the trace is replayed over the state after set-up while the
 * target still runs, and at chosen occurrences of each failure point the image that a crash there
 * would leave is judged. The trace is kept until it is over, for those that can only be chosen
 * then, and for those that are judged after all others: where the C library's locks are taken. Tree
 * and images come from the same execution, so the target need not be deterministic.
 */
public final class RecordedInjection {
  private final Campaign campaign;
  private final Workplace workplace;
  private final Resources resources;
  private final Recording recording;
  private final Observation observation;
  private final Recoveries recoveries;
  private final Scope scope;
  private final Budget budget;
  private final ResultListener results;
  private final Judging judging;
  private final Map<Occurrence, Judgement> judged;
  private final Optional<StateLog> states;
  private final Optional<RecoveryCrashLog> second;
  private final OccurrenceChoice choice;
  private final OccurrencesSection occurrences;
  private final StateChoice stateChoice;

  /**
   * Of occurrences for which there happened to be time: they must not change what is chosen at
   * others.
   */
  private final StateChoice furtherStateChoice;

  private final KnownCulprits culprits = new KnownCulprits();
  private final AdviceQuestions advice = new AdviceQuestions();
  private final Map<Occurrence, Long> ordinals = new ConcurrentHashMap<>();

  /** First occurrences that are judged after all others, with their shares. */
  private final Map<Occurrence, StateShare> postponed = new HashMap<>();

  private final boolean comparesDumps;

  /** Whether an occurrence was left out, for the budget was spent while others still waited. */
  private boolean isCutShort;

  /**
   * @param logs take the results; crash states are judged if they take those and the campaign wants
   *     it
   */
  public RecordedInjection(
      Campaign campaign,
      Workplace workplace,
      Recording recording,
      Recoveries recoveries,
      Scope scope,
      InjectionLogs logs) {
    this.campaign = campaign;
    this.workplace = workplace;
    this.resources = workplace.resources();
    this.recording = recording;
    this.observation = recording.observation();
    this.recoveries = recoveries;
    this.scope = scope;
    this.budget = scope.budget();
    this.results = logs.results();
    this.judging =
        new Judging(
            recoveries.judge(), new VerdictCache(), observation.identity(), budget, inTrace());
    this.judged = logs.judged();
    boolean withStates = logs.states().isPresent();
    this.occurrences = withStates ? campaign.occurrences() : OccurrencesSection.FIRST;
    this.choice = new OccurrenceChoice(occurrences);
    this.comparesDumps = withStates && campaign.dump().isPresent();
    this.states = logs.states().filter(log -> campaign.exploresStates());
    this.second = logs.recoveryCrashes().filter(log -> campaign.cutsRecovery());
    this.stateChoice = new StateChoice(campaign.crashStates().choice());
    this.furtherStateChoice = new StateChoice(campaign.crashStates().choice());
  }

  /**
   * Runs the target and judges the images.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @return the execution, whose PM directory holds the state after a clean exit; nothing when the
   *     budget ended it before. The caller closes it
   */
  public Optional<Execution> run(Path base, FailurePointTree tree) {
    boolean keep = campaign.trace().keep();
    boolean again = occurrences.needsWholeRun();
    try (PrivateDirectory scratch = resources.area().newDirectory()) {
      Path stored = keep ? workplace.directory().traceFile() : scratch.path().resolve("trace.zst");
      Execution execution =
          record(
              base,
              tree,
              keep || again || states.isPresent() ? Optional.of(stored) : Optional.empty());
      try {
        judgeOthers(base, stored, tree);
        if (states.isPresent()) {
          new AdviceCheck(campaign, resources, workplace.phases().progress(), base, stored)
              .run(advice.all(), states.get());
        }
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
      return Optional.of(execution);
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What could only be chosen when the run was over, then what there is time for, and last of all
   * what was postponed.
   */
  private void judgeOthers(Path base, Path stored, FailurePointTree tree) throws IOException {
    Later all = new Later(postponed, Set.of(), Set.of(), Set.of(), false);
    if (occurrences.needsWholeRun()) {
      all =
          new Later(postponed, choice.withOtherStores(), choice.later(), Set.of(), judgesTheEnd());
    }
    FurtherTime time =
        new FurtherTime(
            budget.elapsed(),
            choice.chosen() - all.size(),
            occurrences.isLeftToPowercut() ? occurrences.share() : 0);
    Later later = all.of(id -> !choice.isLast(id)).with(further(time.affordable()));
    while (!later.isEmpty()) {
      time.begin();
      replay(base, stored, tree, later);
      time.end(later.size());
      later = Later.NOTHING.with(further(budget.isLeft() ? time.affordable() : 0));
    }
    Later last = all.of(choice::isLast);
    if (!last.isEmpty()) {
      replay(base, stored, tree, last);
    }
  }

  private Set<Occurrence> further(long most) {
    return choice.further(most, id -> scope.wanted().test(id) && !choice.isLast(id));
  }

  /** Sees the state at every occurrence whose image is going to be judged. */
  @FunctionalInterface
  public interface StateObserver {
    /** The state is that of the image. */
    void at(Occurrence occurrence, PmState state) throws IOException;
  }

  /**
   * Runs the target and judges the images of first occurrences.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @param state holds what base holds; the images that are taken of it are good until the caller
   *     closes it
   * @param observer may take images
   * @return the execution, which the caller closes; nothing when the budget ended it before
   */
  public Optional<Execution> run(
      Path base, FailurePointTree tree, PmState state, StateObserver observer) {
    try {
      return Optional.of(record(base, tree, state, observer, Optional.empty()));
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first pass, while the target runs: the first occurrences. */
  private Execution record(Path base, FailurePointTree tree, Optional<Path> stored)
      throws IOException {
    try (PrivateDirectory pages = resources.area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages)) {
      return record(base, tree, state, (occurrence, unchanged) -> {}, stored);
    }
  }

  private Execution record(
      Path base,
      FailurePointTree tree,
      PmState state,
      StateObserver observer,
      Optional<Path> stored)
      throws IOException {
    try (AcknowledgedLog acknowledged =
            AcknowledgedLog.open(campaign.acknowledgedOutputs(), resources.area());
        RecoveryCrashChoice chosen = chooseSecond();
        ImageWorkers workers = workers(observation.tables(), tree, chosen);
        Closer closer = Closer.create()) {
      Pass pass = pass(state, acknowledged, chosen, workers, closer);
      if (needsInFlight()) {
        observation.lookAt(pass.pending());
      }
      StartUp startUp = new StartUp(observation.tables(), tree.program());
      Optional<TraceStore> store = Optional.empty();
      if (stored.isPresent()) {
        store = Optional.of(closer.register(TraceStore.create(stored.get())));
      }
      List<TraceConsumer> followers = new ArrayList<>(followers(pass));
      followers.add(startUp);
      RecordCheck check = new RecordCheck(observation.tables(), state);
      followers.add(check);
      FailurePointListener first =
          (ordinal, stack, instruction, isNew) -> {
            long number = choice.count(stack.id(), pass.pending().inFlightSites());
            startUp.reached(number);
            if (number == 1 && stored.isPresent() && LockingCode.contains(stack, instruction)) {
              choice.judgeLast(stack.id());
            }
            Occurrence occurrence = new Occurrence(stack.id(), number);
            Set<Integer> raced = observation.raced(occurrence);
            boolean isTried = states.isPresent() && !raced.isEmpty() && choice.take(occurrence);
            if (choice.isFirst(number) || isTried) {
              observer.at(occurrence, state);
              StateShare share = startUp.isOver() ? StateShare.USUAL : StateShare.START_UP;
              if (choice.isLast(stack.id())) {
                postponed.put(occurrence, share);
                return;
              }
              inject(
                  occurrence,
                  ordinal,
                  instruction,
                  pass,
                  states -> stateChoice.choose(states, share, raced));
            }
          };
      Following following =
          Following.of(first, followers)
              .storingInto(store)
              .telling(tellsRecovery() ? Following.Ended.IGNORED : controlling(pass));
      Execution execution = recording.target().run(base, tree, observation, following);
      try {
        check.compare(execution.places().pm()).forEach(workplace.phases()::note);
        execution.keepAcknowledged(acknowledged.now());
        if (tellsRecovery()) {
          recording.control().accept(execution);
        }
        finish(pass);
        cutRecovery(chosen);
        return execution;
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    }
  }

  /** What it gets at the end is known only after the trace is read. */
  private boolean tellsRecovery() {
    return !campaign.acknowledgedOutputs().isEmpty();
  }

  /** Controls the end as soon as it is there: images that wait would be judged in vain. */
  private Following.Ended controlling(Pass pass) {
    return execution -> {
      try {
        recording.control().accept(execution);
      } catch (RuntimeException e) {
        pass.workers().fail(e);
        recording.endRecoveries().run(); // A recovery that hangs would be waited for.
        throw e;
      }
    };
  }

  /** A pass over the stored trace. */
  private void replay(Path base, Path stored, FailurePointTree tree, Later later)
      throws IOException {
    StateShare shareOfDue = occurrences.isLeftToPowercut() ? StateShare.LAST : StateShare.USUAL;
    OccurrenceChoice counting = new OccurrenceChoice(occurrences);
    UnusualStores unusual = new UnusualStores(later.other());
    Observation numbers = Observation.ofNumbers();
    try (PrivateDirectory pages = resources.area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages);
        AcknowledgedLog acknowledged =
            AcknowledgedLog.open(campaign.acknowledgedOutputs(), resources.area());
        RecoveryCrashChoice chosen = chooseSecond();
        ImageWorkers workers = workers(numbers.tables(), tree, chosen);
        Closer closer = Closer.create()) {
      Pass pass = pass(state, acknowledged, chosen, workers, closer);
      TraceReading reading = new TraceReading(campaign.failurePoints(), numbers);
      reading.read(
          TraceReader.of(stored),
          InstrumentedRun.emptyTree(campaign),
          (ordinal, stack, instruction, isNew) -> {
            Occurrence occurrence = new Occurrence(stack.id(), counting.count(stack.id(), 0));
            Set<Integer> sites = unusual.at(occurrence, pass.pending());
            StateShare shareOfFirst = later.first().get(occurrence);
            if (shareOfFirst != null) {
              inject(
                  occurrence,
                  ordinal,
                  instruction,
                  pass,
                  states -> stateChoice.choose(states, shareOfFirst));
            } else if (later.other().contains(occurrence)) {
              inject(
                  occurrence,
                  ordinal,
                  instruction,
                  pass,
                  states -> stateChoice.choose(states, StateShare.USUAL, sites));
            } else if (later.due().contains(occurrence)) {
              inject(
                  occurrence,
                  ordinal,
                  instruction,
                  pass,
                  states -> stateChoice.choose(states, shareOfDue));
            } else if (later.further().contains(occurrence) && budget.isLeft()) {
              inject(
                  occurrence,
                  ordinal,
                  instruction,
                  pass,
                  states -> furtherStateChoice.choose(states, StateShare.FURTHER));
            }
          },
          followers(pass));
      if (later.theEnd() && reading.endsInside()) {
        injectAtTheEnd(pass);
      }
      finish(pass);
      cutRecovery(chosen);
    }
  }

  private boolean judgesTheEnd() {
    return states.isPresent() && occurrences.isLeftToPowercut();
  }

  /**
   * One replay of the trace with all that follows it.
   *
   * @param state the files as they are
   * @param acknowledged what the target has acknowledged
   * @param pending what else a crash may leave
   * @param quiet where contents may be compared; nothing if they are not
   * @param chosen images on which recovery is to be cut
   * @param workers judge
   */
  private record Pass(
      PmState state,
      AcknowledgedLog acknowledged,
      CacheLineTracker pending,
      Optional<QuiescentPoints> quiet,
      RecoveryCrashChoice chosen,
      ImageWorkers workers) {}

  /**
   * @param closer closes what is made here
   */
  private Pass pass(
      PmState state,
      AcknowledgedLog acknowledged,
      RecoveryCrashChoice chosen,
      ImageWorkers workers,
      Closer closer)
      throws IOException {
    Optional<QuiescentPoints> quiet = Optional.empty();
    if (comparesDumps) {
      quiet =
          Optional.of(
              closer.register(
                  QuiescentPoints.open(campaign.acknowledgedOutputs(), state, acknowledged)));
    }
    CacheLineTracker pending = new CacheLineTracker(campaign.domain(), state);
    return new Pass(state, acknowledged, pending, quiet, chosen, workers);
  }

  private void finish(Pass pass) throws IOException {
    if (pass.quiet().isPresent()) {
      pass.quiet().get().end();
    }
    pass.workers().finish(budget);
    if (isCutShort) {
      throw new BudgetSpentException();
    }
  }

  private RecoveryCrashChoice chooseSecond() {
    return new RecoveryCrashChoice(second, campaign.recoveryCrash().images());
  }

  /** Behind all else: which images are worth it is known, and so is how many there are. */
  private void cutRecovery(RecoveryCrashChoice choice) {
    List<RecoveryCrashChoice.Chosen> chosen = choice.take();
    if (!chosen.isEmpty()) {
      Phases phases = workplace.phases();
      phases.begin(
          "crashing recovery on %d images on which it succeeds, %d at a time"
              .formatted(chosen.size(), resources.parallel()));
      RecoveryCrashLog log = second.orElseThrow();
      phases.timings().run("recoveryCrashes", () -> recoveryCrashes(log).run(chosen));
    }
  }

  private RecoveryCrashes recoveryCrashes(RecoveryCrashLog log) {
    return new RecoveryCrashes(workplace, judging, campaign.recoveryCrash(), recoveries.cut(), log);
  }

  private ImageWorkers workers(
      TraceTables tables, FailurePointTree tree, RecoveryCrashChoice chosen) {
    StateExplorer explorer =
        new StateExplorer(
            workplace,
            judging,
            Optional.of(recoveries.reads()).filter(any -> campaign.crashStates().skipUnread()),
            tables,
            culprits,
            advice);
    ImageWorkers.Recovered recovered =
        (moment, hash) -> {
          if (!moment.occurrence().isEnd()) {
            FailurePointId id = moment.occurrence().id();
            chosen.offer(moment, hash, tree.find(id).orElseThrow().stack());
          }
        };
    return new ImageWorkers(resources, judging, explorer, recovered);
  }

  /** Passes results on with their places in the trace. */
  private ResultListener inTrace() {
    return new ResultListener() {
      @Override
      public void judged(Judgement judgement) {
        results.judged(inTrace(judgement));
      }

      @Override
      public void explored(StateVerdicts found) {
        results.explored(
            found.withFindings(
                found.findings().stream().map(RecordedInjection.this::inTrace).toList()));
      }

      @Override
      public void cut(RecoveryCrashVerdicts found) {
        results.cut(found);
      }
    };
  }

  /**
   * Get each record after the failure-point detector: the model of stores looks at the files
   * before.
   */
  private List<TraceConsumer> followers(Pass pass) {
    List<TraceConsumer> followers = new ArrayList<>();
    if (needsInFlight()) {
      followers.add(pass.pending());
    }
    followers.add(new ProgramOrder(pass.state()));
    followers.add(pass.acknowledged());
    pass.quiet().ifPresent(followers::add);
    followers.add(watch(pass.workers()));
    return followers;
  }

  private boolean needsInFlight() {
    return states.isPresent() || occurrences.isLeftToPowercut();
  }

  private Judgement inTrace(Judgement judgement) {
    Occurrence occurrence = new Occurrence(judgement.failurePointId(), judgement.occurrence());
    return Optional.ofNullable(ordinals.get(occurrence)).map(judgement::at).orElse(judgement);
  }

  /**
   * Has an occurrence judged, with the states that are chosen there.
   *
   * @param instruction before which it is
   * @param choosing sees every occurrence, so that parts of a run find what the whole would
   */
  private void inject(
      Occurrence occurrence,
      long ordinal,
      Instruction instruction,
      Pass pass,
      Function<CrashStates, Candidates> choosing)
      throws IOException {
    ordinals.put(occurrence, ordinal);
    CrashStates inFlight = states.isPresent() ? CrashStates.of(pass.pending()) : CrashStates.NONE;
    CrashStates possible = instruction.isForCaches() ? inFlight.inFrontOfFlush() : inFlight;
    Candidates candidates = choosing.apply(possible);
    judging.images().pass(pass.state().hash(), occurrence);
    boolean isExplored = isExplored(occurrence);
    Optional<Judgement> verdict = Optional.ofNullable(judged.get(occurrence));
    Due due =
        Due.of(
            verdict,
            !candidates.isEmpty() && !isExplored,
            verdict.filter(known -> pass.chosen().mayWant(known, occurrence)).isPresent());
    if (due == Due.NOTHING || !scope.wanted().test(occurrence.id())) {
      return;
    }
    if (states.isPresent() && candidates.isEmpty() && !isExplored) {
      results.explored(StateVerdicts.none(occurrence));
    }
    if (isCutShort(pass)) {
      return;
    }
    pass.workers().check();
    if (due == Due.IMAGE) {
      budget.spendImage();
    }
    Candidates left = due == Due.BESIDE_THE_IMAGE && isExplored ? Candidates.NONE : candidates;
    submit(occurrence, pass, due, possible, left);
  }

  /** Whether an earlier part of the run has judged the states there, advice included. */
  private boolean isExplored(Occurrence occurrence) {
    return states
        .flatMap(log -> log.find(occurrence))
        .filter(known -> known.isSettled() && known.isAdvised())
        .isPresent();
  }

  /**
   * Whether the budget is spent and others still wait, which have been paid for.
   *
   * @throws BudgetSpentException if it is spent and none waits
   */
  private boolean isCutShort(Pass pass) throws IOException {
    if (budget.isLeft()) {
      return false;
    }
    if (pass.quiet().map(QuiescentPoints::isAwaited).orElse(false)) {
      isCutShort = true;
      return true;
    }
    pass.workers().finish(budget);
    throw new BudgetSpentException();
  }

  /** Hands an occurrence to the workers, at once or when the contents around it are known. */
  private void submit(
      Occurrence occurrence, Pass pass, Due due, CrashStates possible, Candidates candidates)
      throws IOException {
    ImageWorkers workers = pass.workers();
    Optional<Acknowledgement> acknowledged = pass.acknowledged().now();
    if (due == Due.IMAGE && pass.quiet().isEmpty()) {
      // An equal image that is known already is not even taken.
      workers.submit(occurrence, pass.state(), acknowledged, possible, candidates);
      return;
    }
    CrashPoint point =
        new CrashPoint(
            occurrence, pass.state().image(), acknowledged, possible, candidates, Optional.empty());
    Consumer<CrashPoint> taker = due == Due.IMAGE ? workers::submit : workers::submitStates;
    if (pass.quiet().isPresent()) {
      pass.quiet().get().await(point, taker);
    } else {
      taker.accept(point);
    }
  }

  /**
   * Behind the target's last instruction: what nothing persisted may still be lost. The
   * program-order image is that of a clean exit, which has its control.
   */
  private void injectAtTheEnd(Pass pass) throws IOException {
    CrashStates possible = CrashStates.of(pass.pending());
    Candidates candidates = stateChoice.choose(possible, StateShare.END);
    judging.images().pass(pass.state().hash(), Occurrence.END);
    StateLog log = states.orElseThrow();
    if (log.find(Occurrence.END).filter(StateVerdicts::isSettled).isPresent()
        || !scope.wanted().test(Occurrence.END.id())) {
      return;
    }
    if (candidates.isEmpty()) {
      results.explored(StateVerdicts.none(Occurrence.END));
      return;
    }
    results.explored(StateVerdicts.pending(Occurrence.END));
    CrashPoint moment =
        new CrashPoint(
            Occurrence.END,
            pass.state().image(),
            pass.acknowledged().now(),
            possible,
            candidates,
            Optional.empty());
    if (pass.quiet().isPresent()) {
      pass.quiet().get().await(moment, pass.workers()::submitStates);
    } else {
      pass.workers().submitStates(moment);
    }
  }

  /** Notices the end of the budget and of a worker while the target does nothing new. */
  private TraceConsumer watch(ImageWorkers workers) {
    return new TraceConsumer() {
      @Override
      public void caughtUp() {
        workers.check();
        if (!budget.isTimeLeft()) {
          throw new BudgetSpentException();
        }
      }
    };
  }
}
