// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.exit.ExitCode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and SIGTERM into an orderly end: what runs is killed, what is known is written, what
 * was made is removed, the summary is printed, and powercut exits with {@link ExitCode#INCOMPLETE}.
 *
 * <p>Against {@code kill -9} nothing can be done here: the supervisors notice it and kill what they
 * run, and the next start removes the PM area that was left.
 */
public final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final AtomicBoolean UNDERWAY = new AtomicBoolean();

  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Thread owner = Thread.currentThread();
  private final Thread hook;

  /**
   * @param stop ends what runs, so that the run's threads notice soon
   */
  public Interruption(Runnable stop) {
    hook =
        new Thread(
            () -> {
              interrupted.set(true);
              UNDERWAY.set(true);
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

  /** Whether what this thread does is to end. */
  public boolean isRequested() {
    return interrupted.get();
  }

  /**
   * Whether the JVM is ending because of an interruption. Its exit code is then given by this
   * class; the thread that made it returns from {@code main}, and does not call {@link
   * System#exit}, which would never return.
   */
  public static boolean isUnderway() {
    return UNDERWAY.get();
  }

  private void awaitEnd() {
    try {
      owner.join(PATIENCE.toMillis());
      Runtime.getRuntime().halt(ExitCode.INCOMPLETE.code());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The run is over and has cleaned up. */
  @Override
  public void close() {
    if (!interrupted.get()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException alreadyShuttingDown) {
        interrupted.set(true);
      }
    }
  }
}
