// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.process.CommandSpec;
import io.powercut.process.OwnLocale;
import java.io.IOException;
import java.util.List;
import org.jline.utils.Signals;

/**
 * A debugger on this terminal, which commands under a supervisor do not have. Ctrl-C there goes to
 * the debugger and to us alike, and is meant for the debugger.
 */
final class DebuggerOnTerminal implements DebuggerSession {
  private static final String INTERRUPT = "INT";

  @Override
  public void open(List<String> debugger, CommandSpec like) {
    ProcessBuilder builder =
        new ProcessBuilder(debugger).directory(like.workingDirectory().toFile()).inheritIO();
    OwnLocale.restore(builder.environment());
    builder.environment().putAll(like.environment());
    Object usual = Signals.register(INTERRUPT, () -> {});
    try {
      builder.start().waitFor();
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot start " + FileProblem.of(e).text() + ". Install it: apt-get install gdb");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    } finally {
      Signals.unregister(INTERRUPT, usual);
    }
  }
}
