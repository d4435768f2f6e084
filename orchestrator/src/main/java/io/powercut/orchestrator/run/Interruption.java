package io.powercut.orchestrator.run;

import io.powercut.orchestrator.report.ExitCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and SIGTERM into an orderly end: what runs is killed, what is known is written, what
 * was made is removed, and powercut exits with {@link ExitCode#INCOMPLETE}.
 *
 * <p>Against {@code kill -9} nothing can be done here: the supervisors notice it and kill what they
 * run, and the next start removes the PM area that was left.
 */
final class Interruption implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 20;

  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  /**
   * @param stop ends what runs, so that the run's threads notice soon
   */
  Interruption(Runnable stop) {
    hook =
        new Thread(
            () -> {
              interrupted.set(true);
              stop.run();
              awaitEnd();
            },
            "interruption");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Set once the run is to end. */
  AtomicBoolean flag() {
    return interrupted;
  }

  private void awaitEnd() {
    try {
      if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(ExitCode.INCOMPLETE.code());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The run is over and has cleaned up. */
  @Override
  public void close() {
    finished.countDown();
    if (!interrupted.get()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException alreadyShuttingDown) {
        interrupted.set(true);
      }
    }
  }
}
