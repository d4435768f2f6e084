// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads of a run. They are named by their work, and do not keep the JVM alive. Closing this
 * interrupts them and waits for their end.
 */
public final class Workers implements AutoCloseable {
  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();

  private Workers(String name, int count, Runnable work) {
    threads = Executors.newFixedThreadPool(count, named(name));
    for (int worker = 0; worker < count; worker++) {
      running.add(threads.submit(work));
    }
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> thread(name + "-" + number.getAndIncrement(), work);
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Begins the same work in several threads. What it throws, it has to report itself.
   *
   * @param name of the threads, without their numbers
   * @param count how many threads
   * @param work what each does
   */
  public static Workers start(String name, int count, Runnable work) {
    return new Workers(name, count, work);
  }

  /**
   * Runs the same work in several threads and waits for all of them.
   *
   * @param name of the threads, without their numbers
   * @param count how many threads
   * @param work what each does
   * @throws RuntimeException what the first failing thread threw
   */
  @SuppressWarnings("resource") // after a failure nobody waits for the others
  public static void run(String name, int count, Runnable work) {
    Workers workers = start(name, count, work);
    try {
      for (Future<?> each : workers.running) {
        each.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error error) {
        throw new OwnErrorException(error);
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    } finally {
      workers.threads.shutdownNow();
    }
  }

  /** Begins work in one thread of that name. */
  public static <T> CompletableFuture<T> inThread(String name, Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> thread(name, task).start());
  }

  /**
   * Waits for what another thread does.
   *
   * @throws RuntimeException what that one threw
   */
  public static <T> T await(CompletableFuture<T> other) {
    try {
      return other.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        // They end what they are at.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
