// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jline.utils.Signals;

/** How wide a terminal is, now and after its window has changed. */
final class TerminalWidth implements IntSupplier {
  /** What is taken where a terminal does not tell. */
  static final int USUAL = 80;

  private static final int LEAST = 20;
  private static final int SECONDS = 2;

  private final String device;
  private int columns;

  /** Nothing is asked before the width is needed. */
  private boolean isAsked;

  /**
   * @param device the terminal
   */
  TerminalWidth(String device) {
    this.device = device;
  }

  private synchronized void changed() {
    columns = ask(device);
  }

  @Override
  public synchronized int getAsInt() {
    if (!isAsked) {
      isAsked = true;
      changed();
      Signals.register("WINCH", this::changed);
    }
    return columns;
  }

  /** Java 17 has no call for it. */
  private static int ask(String device) {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File(device))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return stty.waitFor(SECONDS, TimeUnit.SECONDS) ? columns(said) : USUAL;
      } finally {
        stty.destroyForcibly();
      }
    } catch (IOException e) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /**
   * @param said rows and columns, as {@code stty size} prints them
   */
  static int columns(String said) {
    int space = said.indexOf(' ');
    try {
      int columns = Integer.parseInt(said.substring(space + 1).strip());
      // A terminal that does not know its size says 0.
      return space > 0 && columns >= LEAST ? columns : USUAL;
    } catch (NumberFormatException e) {
      return USUAL;
    }
  }
}
