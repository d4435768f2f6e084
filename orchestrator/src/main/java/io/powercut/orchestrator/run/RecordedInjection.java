package io.powercut.orchestrator.run;

import com.google.common.io.Closer;
import io.powercut.image.PmState;
import io.powercut.image.PrivateDirectory;
import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceReader;
import io.powercut.instrumentation.trace.TraceStore;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.results.SecondLog;
import io.powercut.orchestrator.results.StateLog;
import io.powercut.orchestrator.results.StateVerdicts;
import io.powercut.orchestrator.results.Visit;
import io.powercut.orchestrator.states.Candidate;
import io.powercut.orchestrator.states.StateChoice;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.PendingStores;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Injection from one recorded run: the trace is replayed over the state after set-up while the
 * target still runs, and at the first visit of each failure point the image that a crash there
 * would leave is judged. Tree and images come from the same execution, so the target need not be
 * deterministic.
 */
final class RecordedInjection {
  /** Memory for pages of the replayed state that were stored to, outside the heap. */
  private static final long CACHE_BYTES = 64L << 20;

  private final RunContext context;
  private final Observation observation;
  private final ImageJudge judge;
  private final JudgementSink sink;
  private final Budget budget;
  private final Predicate<FailurePointId> wanted;
  private final Map<Visit, Judgement> judged;
  private final Optional<StateLog> states;
  private final Optional<SecondLog> second;
  private final VisitChoice choice;
  private final StateChoice stateChoice;
  private final KnownImages images = new KnownImages();
  private final KnownCulprits culprits = new KnownCulprits();
  private final boolean comparesDumps;

  /** Whether a visit was left out, for the budget was spent while others still waited. */
  private boolean isCutShort;

  /**
   * @param observation gets the trace while it is recorded
   * @param sink takes the verdicts
   * @param wanted which failure points are to be judged
   * @param judged what an earlier part of this run has judged
   * @param states takes what was found of crash states beyond program order, and knows what an
   *     earlier part of this run has found; such states are judged if there is one and the campaign
   *     wants it. Without one, only that is judged which re-execution can judge as well: neither
   *     those nor what images hold after recovery
   * @param second the same of crashes in recovery
   */
  RecordedInjection(
      RunContext context,
      Observation observation,
      ImageJudge judge,
      JudgementSink sink,
      Budget budget,
      Predicate<FailurePointId> wanted,
      Map<Visit, Judgement> judged,
      Optional<StateLog> states,
      Optional<SecondLog> second) {
    this.context = context;
    this.observation = observation;
    this.wanted = wanted;
    this.judge = judge;
    this.sink = sink;
    this.budget = budget;
    this.judged = Map.copyOf(judged);
    this.choice = new VisitChoice(context.campaign().occurrences());
    this.comparesDumps = states.isPresent() && context.campaign().dump().isPresent();
    this.states = states.filter(log -> context.campaign().exploresStates());
    this.second = second.filter(log -> context.campaign().cutsRecovery());
    this.stateChoice = new StateChoice(context.campaign().crashStates());
  }

  /**
   * Runs the target and judges the images.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @return the execution, whose PM directory holds the state after a clean exit; nothing when the
   *     budget ended it before. The caller closes it
   */
  Optional<Execution> run(Path base, FailurePointTree tree) {
    boolean keep = context.campaign().trace().keep();
    boolean again = context.campaign().occurrences().needsWholeRun();
    try (PrivateDirectory scratch = context.area().newDirectory()) {
      Path stored = keep ? context.directory().traceFile() : scratch.path().resolve("trace.zst");
      Execution execution =
          record(base, tree, keep || again ? Optional.of(stored) : Optional.empty());
      if (again) {
        replayOrClose(base, stored, tree, execution);
      }
      return Optional.of(execution);
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void replayOrClose(Path base, Path stored, FailurePointTree tree, Execution execution)
      throws IOException {
    try {
      replay(base, stored, tree);
    } catch (IOException | RuntimeException e) {
      execution.close();
      throw e;
    }
  }

  /** Sees the state at every visit whose image is going to be judged. */
  @FunctionalInterface
  interface StateObserver {
    /** The state is that of the image. */
    void at(Visit visit, PmState state) throws IOException;
  }

  /**
   * Runs the target and judges the images of first visits.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @param state holds what base holds; the images that are taken of it are good until the caller
   *     closes it
   * @param observer may take images
   * @return the execution, which the caller closes; nothing when the budget ended it before
   */
  Optional<Execution> run(Path base, FailurePointTree tree, PmState state, StateObserver observer) {
    try {
      return Optional.of(record(base, tree, state, observer, Optional.empty()));
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The state from which a run begins.
   *
   * @param base the PM directory after set-up
   * @param pages empty, for pages that are not in memory
   */
  static PmState openState(Path base, PrivateDirectory pages) throws IOException {
    return PmState.open(base, pages, CACHE_BYTES);
  }

  /** The first pass, while the target runs: the first visits. */
  private Execution record(Path base, FailurePointTree tree, Optional<Path> stored)
      throws IOException {
    try (PrivateDirectory pages = context.area().newDirectory();
        PmState state = openState(base, pages)) {
      return record(base, tree, state, (visit, unchanged) -> {}, stored);
    }
  }

  private Execution record(
      Path base,
      FailurePointTree tree,
      PmState state,
      StateObserver observer,
      Optional<Path> stored)
      throws IOException {
    try (AcknowledgedLog acknowledged = AcknowledgedLog.open(context);
        SecondChoice chosen = chooseSecond();
        ImageWorkers workers = workers(observation.tables(), tree, chosen);
        Closer closer = Closer.create()) {
      Pass pass = pass(state, acknowledged, chosen, workers, closer);
      Optional<TraceStore> store = Optional.empty();
      if (stored.isPresent()) {
        store = Optional.of(closer.register(TraceStore.create(stored.get())));
      }
      Execution execution =
          new InstrumentedRun(context, observation)
              .run(
                  base,
                  tree,
                  (ordinal, stack, instruction, isNew) -> {
                    long number = choice.count(stack.id());
                    if (choice.isFirst(number)) {
                      Visit visit = new Visit(stack.id(), number);
                      observer.at(visit, state);
                      inject(visit, pass);
                    }
                  },
                  store,
                  followers(pass));
      try {
        finish(pass);
        cutRecovery(chosen);
        execution.keepAcknowledged(acknowledged.now());
        return execution;
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    }
  }

  /** The second pass, over the stored trace: visits that could only be chosen at the end. */
  private void replay(Path base, Path stored, FailurePointTree tree) throws IOException {
    Set<Visit> later = choice.later();
    VisitChoice counting = new VisitChoice(context.campaign().occurrences());
    Observation numbers = Observation.ofNumbers();
    try (PrivateDirectory pages = context.area().newDirectory();
        PmState state = openState(base, pages);
        AcknowledgedLog acknowledged = AcknowledgedLog.open(context);
        SecondChoice chosen = chooseSecond();
        ImageWorkers workers = workers(numbers.tables(), tree, chosen);
        Closer closer = Closer.create()) {
      Pass pass = pass(state, acknowledged, chosen, workers, closer);
      new InstrumentedRun(context, numbers)
          .read(
              TraceReader.of(stored),
              InstrumentedRun.emptyTree(context.campaign()),
              (ordinal, stack, instruction, isNew) -> {
                Visit visit = new Visit(stack.id(), counting.count(stack.id()));
                if (later.contains(visit)) {
                  inject(visit, pass);
                }
              },
              followers(pass));
      finish(pass);
      cutRecovery(chosen);
    }
  }

  /**
   * One replay of the trace with all that follows it.
   *
   * @param state the files as they are
   * @param acknowledged what the target has told
   * @param pending what else a crash may leave
   * @param quiet where contents may be compared; nothing if they are not
   * @param chosen images on which recovery is to be cut
   * @param workers judge
   */
  private record Pass(
      PmState state,
      AcknowledgedLog acknowledged,
      PendingStores pending,
      Optional<QuietPoints> quiet,
      SecondChoice chosen,
      ImageWorkers workers) {}

  /**
   * @param closer closes what is made here
   */
  private Pass pass(
      PmState state,
      AcknowledgedLog acknowledged,
      SecondChoice chosen,
      ImageWorkers workers,
      Closer closer)
      throws IOException {
    Optional<QuietPoints> quiet = Optional.empty();
    if (comparesDumps) {
      quiet =
          Optional.of(
              closer.register(
                  QuietPoints.open(context.campaign().acknowledgedOutputs(), state, acknowledged)));
    }
    PendingStores pending = new PendingStores(context.campaign().domain(), state);
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

  private SecondChoice chooseSecond() {
    return new SecondChoice(second, context.campaign().secondCrash().images());
  }

  /** Behind all else: which images are worth it is known, and so is how many there are. */
  private void cutRecovery(SecondChoice choice) {
    List<SecondChoice.Chosen> chosen = choice.take();
    if (!chosen.isEmpty()) {
      context
          .progress()
          .phase(
              "cutting recovery itself, on %d images that it copes with, %d at a time"
                  .formatted(chosen.size(), context.parallel()));
      SecondLog log = second.orElseThrow();
      context
          .timings()
          .run(
              "secondCrashes",
              () -> new SecondCrashes(context, judge, budget, images, log).run(chosen));
    }
  }

  private ImageWorkers workers(TraceTables tables, FailurePointTree tree, SecondChoice chosen) {
    StateExplorer explorer =
        new StateExplorer(context, judge, tables, budget, images, culprits, this::keep);
    ImageWorkers.Recovered recovered =
        (moment, hash) -> {
          FailurePointId id = moment.visit().id();
          chosen.offer(moment, hash, tree.find(id).orElseThrow().stack());
        };
    return new ImageWorkers(context, judge, sink, images, explorer, recovered);
  }

  private void keep(StateVerdicts verdicts) {
    states.ifPresent(log -> log.add(verdicts));
    verdicts.findings().forEach(judge::announce);
  }

  /** Get each record behind the failure-point detector: pending stores look at the files before. */
  private List<TraceConsumer> followers(Pass pass) {
    List<TraceConsumer> followers = new ArrayList<>();
    if (states.isPresent()) {
      followers.add(pass.pending());
    }
    followers.add(new ProgramOrder(pass.state()));
    followers.add(pass.acknowledged());
    pass.quiet().ifPresent(followers::add);
    followers.add(watch(pass.workers()));
    return followers;
  }

  private void inject(Visit visit, Pass pass) throws IOException {
    ImageWorkers workers = pass.workers();
    Optional<QuietPoints> quiet = pass.quiet();
    Optional<Acknowledgement> acknowledged = pass.acknowledged().now();
    CrashStates possible =
        states.isPresent() ? pass.pending().crashStates() : new CrashStates(List.of(), true);
    // Both also where nothing is judged, so that parts of a run find what the whole would.
    List<Candidate> candidates = stateChoice.choose(possible);
    images.pass(pass.state().hash(), visit);
    boolean isExplored =
        states.flatMap(log -> log.find(visit)).filter(StateVerdicts::isSettled).isPresent();
    Judgement verdict = judged.get(visit);
    boolean isLeft =
        verdict == null
            || (verdict.kind() == Verdict.Kind.CONSISTENT
                && ((!candidates.isEmpty() && !isExplored)
                    || pass.chosen().mayWant(verdict, visit)));
    if (!isLeft || !wanted.test(visit.id())) {
      return;
    }
    if (states.isPresent() && candidates.isEmpty() && !isExplored) {
      keep(StateVerdicts.none(visit));
    }
    if (!budget.isLeft() && quiet.map(QuietPoints::isAwaited).orElse(false)) {
      isCutShort = true; // What waits has been paid for.
      return;
    }
    if (!budget.isLeft()) {
      workers.finish(budget);
      throw new BudgetSpentException();
    }
    workers.check();
    if (verdict == null) {
      budget.spendImage();
    }
    if (verdict == null && quiet.isEmpty()) {
      workers.submit(visit, pass.state(), acknowledged, possible, candidates);
      return;
    }
    Moment moment =
        new Moment(
            visit,
            pass.state().image(),
            acknowledged,
            possible,
            verdict != null && isExplored ? List.of() : candidates,
            Optional.empty());
    Consumer<Moment> taker = verdict == null ? workers::submit : workers::submitStates;
    if (quiet.isPresent()) {
      quiet.get().await(moment, taker);
    } else {
      taker.accept(moment);
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
