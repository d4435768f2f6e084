// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.exit.ExitCode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns Ctrl-C and SIGTERM into an orderly end: what runs is killed, what is known is written, what
 * was made is removed, the summary is printed, and powercut exits with what the command returns, or
 * with {@link ExitCode#INCOMPLETE} where it returns too late.
 *
 * <p>Against {@code kill -9} nothing can be done here: the supervisors notice it and kill what they
 * run, and the next start removes the PM area that was left.
 */
public final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final AtomicBoolean UNDERWAY = new AtomicBoolean();

  /** Several wait for the same thread, as those of a sweep and of its campaign. One says so. */
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private static final AtomicInteger CODE = new AtomicInteger(ExitCode.INCOMPLETE.code());

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
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException underway) {
      // An interruption of what is around this one came first, and waits for the same thread.
      interrupted.set(true);
    }
  }

  /** Set once the run is to end. */
  AtomicBoolean flag() {
    return interrupted;
  }

  /** Whether what this thread does is to end. */
  public boolean isRequested() {
    return interrupted.get();
  }

  /** Whether the JVM is ending because of an interruption. */
  public static boolean isUnderway() {
    return UNDERWAY.get();
  }

  /**
   * Ends the JVM, the last thing that {@code main} does. During an interruption, {@link
   * System#exit} would never return: then {@code main} returns instead, and the JVM ends with this
   * code as soon as its thread is over.
   *
   * @param exitCode of the command, 0 to 255
   */
  public static void exit(int exitCode) {
    CODE.set(exitCode);
    if (!isUnderway()) {
      System.exit(exitCode);
    }
  }

  private void awaitEnd() {
    try {
      owner.join(PATIENCE.toMillis());
      if (owner.isAlive()) {
        sayOnce();
      }
      Runtime.getRuntime().halt(CODE.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Who comes second waits for the first: it would end the JVM before the message is written. */
  private static synchronized void sayOnce() {
    if (!SAID.getAndSet(true)) {
      System.err.println(
          "powercut: interrupted, and not all was written within %d s; run and sweep continue with --resume"
              .formatted(PATIENCE.toSeconds()));
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
