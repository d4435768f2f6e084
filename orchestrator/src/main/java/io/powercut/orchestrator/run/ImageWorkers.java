package io.powercut.orchestrator.run;

import io.powercut.image.CrashImage;
import io.powercut.image.ImageHash;
import io.powercut.image.PmState;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.results.Visit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that judge crash images while the trace is still being replayed. Images wait in a queue
 * of bounded length: when it is full the replay waits, and with it, through the trace's window, the
 * target. Equal images get one recovery between them, and the later ones are never even taken.
 */
final class ImageWorkers implements AutoCloseable {
  /** Images that may wait; each costs the pages that were stored to since the one before it. */
  private static final int QUEUE_LENGTH = 64;

  private static final long LOOK_MILLISECONDS = 100;

  /** An image to judge. */
  private record Task(Visit visit, ImageHash hash, CrashImage image) {}

  /** What is known of an image's content. */
  private static final class Shared {
    @Nullable Judgement judgement;
    final List<Visit> waiting = new ArrayList<>();
  }

  private final RunContext context;
  private final ImageJudge judge;
  private final JudgementSink sink;
  private final BlockingQueue<Task> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);
  private final Map<ImageHash, Shared> known = new HashMap<>();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private int unjudged;

  ImageWorkers(RunContext context, ImageJudge judge, JudgementSink sink) {
    this.context = context;
    this.judge = judge;
    this.sink = sink;
    for (int worker = 0; worker < context.parallel(); worker++) {
      Thread thread = new Thread(this::work, "image-worker-" + worker);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /**
   * Has the present image judged; waits while the queue is full.
   *
   * @param visit of which failure point
   * @param state the files as they are in front of its instruction
   */
  void submit(Visit visit, PmState state) throws IOException {
    ImageHash hash = state.hash();
    if (joinsKnown(visit, hash)) {
      return;
    }
    Task task = new Task(visit, hash, state.image());
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
   * Whether the image's content is known already; then the visit gets its verdict. Else it is
   * noted, and whoever comes later with the same content waits for it.
   */
  private boolean joinsKnown(Visit visit, ImageHash hash) {
    Judgement ready;
    synchronized (known) {
      Shared shared = known.get(hash);
      if (shared == null) {
        known.put(hash, new Shared());
        unjudged++;
        return false;
      }
      ready = shared.judgement;
      if (ready == null) {
        shared.waiting.add(visit);
        return true;
      }
    }
    sink.accept(ready.sharedBy(visit.id().toString(), visit.number()));
    return true;
  }

  /**
   * Waits until all that was submitted is judged, or there is no time left for it; what is not
   * judged then is left so.
   *
   * @throws RuntimeException what stopped a worker
   */
  void finish(Budget budget) {
    try {
      synchronized (known) {
        while (unjudged > 0 && budget.isTimeLeft()) {
          check();
          known.wait(LOOK_MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    }
    check();
  }

  /** Ends the run's thread when a worker cannot go on or the run was interrupted. */
  void check() {
    RuntimeException stopped = failure.get();
    if (stopped != null) {
      throw stopped;
    }
    context.checkInterrupted();
  }

  private void work() {
    try (RecordedImages images = RecordedImages.in(context.area())) {
      while (true) {
        Task task = queue.take();
        try (CrashImage image = task.image()) {
          judge(task, images.of(image));
        }
        synchronized (known) {
          unjudged--;
          known.notifyAll();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void judge(Task task, RecordedImages.Copies copies) {
    Judgement judgement = judge.judge(task.visit(), copies).withImageHash(task.hash().toString());
    List<Visit> waiting;
    synchronized (known) {
      Shared shared = Optional.ofNullable(known.get(task.hash())).orElseThrow();
      shared.judgement = judgement;
      waiting = List.copyOf(shared.waiting);
      shared.waiting.clear();
    }
    sink.accept(judgement);
    waiting.forEach(
        visit -> sink.accept(judgement.sharedBy(visit.id().toString(), visit.number())));
  }

  /** Gives up what is not judged yet. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    List<Task> left = new ArrayList<>();
    queue.drainTo(left);
    left.forEach(task -> task.image().close());
  }
}
