// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same work in several threads and waits for all of them. */
public final class Workers {
  private Workers() {}

  /**
   * @param count how many threads
   * @param work what each does
   * @throws RuntimeException what the first failing thread threw
   */
  public static void run(int count, Runnable work) {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int worker = 0; worker < count; worker++) {
        running.add(threads.submit(work));
      }
      for (Future<?> each : running) {
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
      threads.shutdownNow();
    }
  }
}
