// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.CampaignException;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.events.EventArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.engine.EventLog;
import io.powercut.orchestrator.exit.Failure;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.report.format.Text;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Shows mistakes of the user as messages, and our own with the stack trace that a fix needs. What
 * is shown fits on a few screens, whatever was in the files that it is about.
 */
final class UserErrors implements IExecutionExceptionHandler {
  private static final int MOST_LINES = 100;
  private static final int LONGEST_LINE = 2000;

  @Override
  public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult result) {
    Failure failure = failure(e, commandLine.getCommandSpec().findOption("--resume") != null);
    events(commandLine).ifPresent(events -> events.failed(failure.exit(), failure.message()));
    return show(e, failure);
  }

  private static Optional<EventLog> events(CommandLine commandLine) {
    return commandLine.getCommandSpec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(EventArguments.class::isInstance)
        .map(EventArguments.class::cast)
        .flatMap(output -> output.events().stream())
        .findFirst();
  }

  private static Failure failure(Throwable thrown, boolean canBeResumed) {
    return thrown instanceof InterruptedRunException
        ? new Failure(ExitCode.INCOMPLETE, "interrupted", "")
        : Failure.of(thrown, canBeResumed);
  }

  /** Shows what ended a command, and gives the exit code. */
  static int show(Throwable thrown) {
    return show(thrown, failure(thrown, false));
  }

  private static int show(Throwable thrown, Failure failure) {
    // A mistake in a campaign begins with the name of its file.
    print((thrown instanceof CampaignException ? "" : "powercut: ") + failure.text());
    return failure.exit().code();
  }

  private static void print(String message) {
    Screen screen = Screen.errors();
    List<String> lines = Text.printed(message).lines().toList();
    lines.stream()
        .limit(MOST_LINES)
        .forEach(line -> screen.print(Text.beginning(line, LONGEST_LINE)));
    if (lines.size() > MOST_LINES) {
      screen.print("and " + Text.counted(lines.size() - MOST_LINES, "more line"));
    }
  }
}
