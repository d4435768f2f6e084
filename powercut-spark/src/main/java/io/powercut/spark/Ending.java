// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of the driver. After Ctrl-C or SIGTERM the sweep is told, says what was not run, and its
 * exit code counts, as if it ran alone; the driver then stops Spark and cleans up.
 */
final class Ending {
  private static final int PATIENCE_SECONDS = 25;
  private static final int CLEANING_SECONDS = 20;
  private static final int INCOMPLETE = 4;

  private final Thread main = Thread.currentThread();
  private final Thread hook = new Thread(this::interrupted, "ending");
  private volatile @Nullable Process sweep;

  Ending() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** What has to end first. */
  void of(Process started) {
    sweep = started;
  }

  private void interrupted() {
    try {
      Process under = sweep;
      int exitCode = INCOMPLETE;
      if (under != null) {
        under.destroy();
        exitCode =
            under.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? under.exitValue() : INCOMPLETE;
      }
      main.join(TimeUnit.SECONDS.toMillis(CLEANING_SECONDS));
      Runtime.getRuntime().halt(exitCode);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the program, unless that is under way; it never returns then, so main returns. */
  void exit(int exitCode) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underway) {
      return;
    }
    System.exit(exitCode);
  }
}
