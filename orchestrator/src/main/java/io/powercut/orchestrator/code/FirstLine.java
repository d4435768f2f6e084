// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.zeroturnaround.exec.ProcessExecutor;

/** Asks a tool of this machine something that it answers in a line. */
public final class FirstLine {
  private static final long SECONDS = 10;

  private FirstLine() {}

  /** The first line that a command prints; nothing if it cannot be run, or prints nothing. */
  public static Optional<String> of(List<String> command) {
    try {
      return new ProcessExecutor(command)
              .readOutput(true)
              .timeout(SECONDS, TimeUnit.SECONDS)
              .execute()
              .getOutput()
              .getLinesAsUTF8()
              .stream()
              .findFirst();
    } catch (IOException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
