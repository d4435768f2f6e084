package io.powercut.orchestrator.run;

import io.powercut.image.PmState;
import io.powercut.image.PrivateDirectory;
import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.persistency.ProgramOrder;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

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
  private final ImageJudge judge;
  private final JudgementSink sink;
  private final Budget budget;
  private final Set<FailurePointId> judged;

  /**
   * @param sink takes the verdicts
   * @param judged failure points that an earlier part of this run has judged
   */
  RecordedInjection(
      RunContext context,
      ImageJudge judge,
      JudgementSink sink,
      Budget budget,
      Set<FailurePointId> judged) {
    this.context = context;
    this.judge = judge;
    this.sink = sink;
    this.budget = budget;
    this.judged = Set.copyOf(judged);
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
    try (PrivateDirectory scratch = context.area().newDirectory();
        PmState state = PmState.open(base, scratch, CACHE_BYTES);
        ImageWorkers workers = new ImageWorkers(context, judge, this::accept)) {
      Optional<Execution> execution = record(base, tree, state, workers);
      workers.finish();
      return execution;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Execution> record(
      Path base, FailurePointTree tree, PmState state, ImageWorkers workers) {
    try {
      return Optional.of(
          new InstrumentedRun(context)
              .run(
                  base,
                  tree,
                  (ordinal, stack, instruction, isNew) -> {
                    if (isNew) {
                      inject(stack, state, workers);
                    }
                  },
                  new ProgramOrder(state),
                  watch(workers)));
    } catch (BudgetSpentException e) {
      return Optional.empty();
    }
  }

  private void inject(CallStack stack, PmState state, ImageWorkers workers) throws IOException {
    if (judged.contains(stack.id())) {
      return;
    }
    budget.requireLeft();
    workers.check();
    budget.spendImage();
    workers.submit(stack.id(), state);
  }

  private void accept(FailurePointId id, Judgement judgement) {
    sink.accept(id, judgement);
  }

  /** Notices the end of the budget and of a worker while the target does nothing new. */
  private TraceConsumer watch(ImageWorkers workers) {
    return new TraceConsumer() {
      @Override
      public void caughtUp() {
        workers.check();
        budget.requireTimeLeft();
      }
    };
  }
}
