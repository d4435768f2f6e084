// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import io.powercut.exit.PowercutException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.zeroturnaround.exec.ProcessExecutor;
import org.zeroturnaround.exec.ProcessResult;

/** Runs gnuplot, which must be on the PATH. */
public final class Gnuplot {
  private static final long LIMIT_SECONDS = 60;
  private static final String REMEDY = "Install it with: apt-get install gnuplot-nox";

  private final String program;

  private Gnuplot(String program) {
    this.program = program;
  }

  /**
   * The installed gnuplot.
   *
   * @throws PowercutException with the remedy if there is none
   */
  public static Gnuplot find() {
    return find("gnuplot");
  }

  static Gnuplot find(String program) {
    Gnuplot gnuplot = new Gnuplot(program);
    gnuplot.execute(List.of("--version"), "");
    return gnuplot;
  }

  /**
   * Draws.
   *
   * @param script in gnuplot's language; the user's own settings are not read
   * @return what it draws on its standard output
   */
  String draw(String script) {
    return execute(List.of("--default-settings"), script);
  }

  private String execute(List<String> arguments, String input) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    try {
      ProcessResult result =
          new ProcessExecutor(command)
              .redirectInput(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)))
              .redirectError(errors)
              .readOutput(true)
              .timeout(LIMIT_SECONDS, TimeUnit.SECONDS)
              .execute();
      if (result.getExitValue() != 0) {
        throw PowercutException.notTrustworthy(
            "gnuplot failed: " + errors.toString(StandardCharsets.UTF_8).strip());
      }
      return result.outputUTF8();
    } catch (IOException | TimeoutException e) {
      throw PowercutException.notTrustworthy(
          "gnuplot cannot be run: " + e.getMessage() + ". " + REMEDY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PowercutException.notTrustworthy("interrupted while gnuplot was running");
    }
  }
}
