// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.image.PmState;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.exploration.StateExplorer;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.OwnErrorException;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that judge crash images while the trace is still being replayed. Images wait in a queue
 * of bounded length: when it is full the replay waits, and with it, through the trace's window, the
 * target. Equal images get one recovery between them, and where nothing else is to be judged the
 * later ones are never even taken.
 */
final class ImageWorkers implements AutoCloseable {
  /** Images that may wait; each costs the pages that were stored to since the one before it. */
  private static final int QUEUE_LENGTH = 64;

  private static final long LOOK_MILLISECONDS = 100;

  /**
   * Something to judge.
   *
   * @param verdict of that image; nothing if recovery is known to cope with it
   * @param isMine whether the verdict is to be found out here
   */
  private record Task(
      CrashPoint moment, Optional<CompletableFuture<Judgement>> verdict, boolean isMine) {}

  private final Resources resources;
  private final Judging judging;
  private final StateExplorer explorer;
  private final Recovered recovered;
  private final BlockingQueue<Task> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);
  private final Object lock = new Object();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final Workers threads;
  private int unjudged;

  /** Receives images on which recovery succeeds, by several threads. */
  @FunctionalInterface
  interface Recovered {
    /** The moment is closed afterwards. */
    void from(CrashPoint moment, ImageHash hash) throws IOException;
  }

  /**
   * @param explorer judges what is left beside program order
   * @param recovered receives images on which recovery succeeds
   */
  ImageWorkers(Resources resources, Judging judging, StateExplorer explorer, Recovered recovered) {
    this.resources = resources;
    this.judging = judging;
    this.explorer = explorer;
    this.recovered = recovered;
    this.threads = Workers.start("image-worker", resources.parallel(), this::work);
  }

  /**
   * Has the present image judged, and then crash states beside it; waits while the queue is full.
   *
   * @param occurrence of which failure point
   * @param state the files as they are before its instruction
   * @param acknowledged what the target had acknowledged there
   * @param beside what else may be left there, to be judged if recovery succeeds on the image
   * @param recent what happened before
   */
  void submit(
      Occurrence occurrence,
      PmState state,
      Optional<Acknowledgement> acknowledged,
      Beside beside,
      RecentEvents recent)
      throws IOException {
    ImageHash hash = state.hash();
    CompletableFuture<Judgement> mine = new CompletableFuture<>();
    CompletableFuture<Judgement> verdict =
        judging.images().verdict(VerdictCache.Key.of(hash, acknowledged), mine);
    if (verdict != mine) {
      CompletableFuture<Void> unused =
          verdict.thenAccept(judgement -> share(judgement, occurrence));
      if (!explores(beside)) {
        beside.close();
        return;
      }
    }
    enqueue(
        new Task(
            new CrashPoint(
                occurrence,
                state.image(),
                acknowledged,
                beside.states(),
                beside.candidates(),
                recent.now(),
                Optional.empty(),
                beside.losses(),
                Optional.empty()),
            Optional.of(verdict),
            verdict == mine));
  }

  /**
   * Has an image judged that was taken already, and then crash states beside it; waits while the
   * queue is full.
   *
   * @param moment is closed
   */
  void submit(CrashPoint moment) {
    CompletableFuture<Judgement> mine = new CompletableFuture<>();
    CompletableFuture<Judgement> verdict =
        judging.images().verdict(VerdictCache.Key.of(moment.image().hash(), moment), mine);
    if (verdict != mine) {
      Occurrence occurrence = moment.occurrence();
      CompletableFuture<Void> unused =
          verdict.thenAccept(judgement -> share(judgement, occurrence));
      if (!explorer.explores(moment)) {
        moment.close();
        return;
      }
    }
    enqueue(new Task(moment, Optional.of(verdict), verdict == mine));
  }

  private void share(Judgement judgement, Occurrence occurrence) {
    try {
      judging.results().judged(judgement.sharedBy(occurrence));
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /**
   * Has crash states judged beside an image on which recovery succeeds; waits while the queue is
   * full.
   *
   * @param moment is closed
   */
  void submitStates(CrashPoint moment) {
    enqueue(new Task(moment, Optional.empty(), false));
  }

  private void enqueue(Task task) {
    synchronized (lock) {
      unjudged++;
    }
    try {
      while (!queue.offer(task, LOOK_MILLISECONDS, TimeUnit.MILLISECONDS)) {
        check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    }
  }

  /**
   * Waits until all that was submitted is judged, or there is no time left for it; what is not
   * judged then is left so.
   *
   * @throws RuntimeException what stopped a worker
   */
  void finish(Budget budget) {
    try {
      synchronized (lock) {
        while (unjudged > 0 && budget.isTimeLeft()) {
          check();
          lock.wait(LOOK_MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    }
    check();
  }

  /** Ends the run's thread when a worker cannot continue or the run was interrupted. */
  void check() {
    RuntimeException stopped = failure.get();
    if (stopped != null) {
      throw stopped;
    }
    resources.checkInterrupted();
  }

  /** Stops the run: {@link #check} throws this. */
  void fail(RuntimeException reason) {
    failure.compareAndSet(null, reason);
  }

  private void work() {
    try (RecordedImages places = RecordedImages.in(resources.area())) {
      while (true) {
        Task task = queue.take();
        try (CrashPoint moment = task.moment()) {
          judge(task, moment, places);
        }
        synchronized (lock) {
          unjudged--;
          lock.notifyAll();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    } catch (Error e) {
      failure.compareAndSet(null, new OwnErrorException(e));
    }
  }

  private void judge(Task task, CrashPoint moment, RecordedImages places)
      throws InterruptedException {
    Optional<ReadsWatch> watch = task.isMine() ? explorer.watch(moment) : Optional.empty();
    if (task.isMine()) {
      Judgement found =
          judging
              .judge()
              .judge(
                  moment.occurrence(),
                  places
                      .of(moment.image(), moment.acknowledged())
                      .watching(watch)
                      .expecting(moment.expected(judging.judge(), places)))
              .withImageHash(moment.image().hash().toString());
      Judgement judgement = found.isBug() ? explorer.explained(moment, places, found) : found;
      judging.results().judged(judgement);
      // Those who share the verdict get it in this thread: not where others have to wait for it.
      task.verdict().ifPresent(verdict -> verdict.complete(judgement));
      synchronized (lock) {
        lock.notifyAll();
      }
    }
    if (isConsistent(task)) {
      try {
        recovered.from(moment, moment.image().hash());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (explorer.explores(moment)) {
        explorer.explore(moment, places, watch);
      }
    }
  }

  /** Whether something is explored where recovery succeeds on the image of program order. */
  boolean explores(Beside beside) {
    return explorer.explores(beside.states(), beside.candidates(), beside.losses());
  }

  /** Waits for the verdict of another worker, which has the image already, or had it. */
  private boolean isConsistent(Task task) throws InterruptedException {
    if (task.verdict().isEmpty()) {
      return true;
    }
    CompletableFuture<Judgement> verdict = task.verdict().get();
    synchronized (lock) {
      while (!verdict.isDone()) {
        check();
        lock.wait(LOOK_MILLISECONDS);
      }
    }
    return verdict.join().kind() == Verdict.Kind.CONSISTENT;
  }

  /** Gives up what is not judged yet. */
  @Override
  public void close() {
    threads.close();
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    List<Task> left = new ArrayList<>();
    queue.drainTo(left);
    left.forEach(task -> task.moment().close());
  }
}
