package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.campaign.CampaignException;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.results.NotTrustworthyException;
import io.powercut.orchestrator.results.WrongUsageException;
import io.powercut.orchestrator.run.InterruptedRunException;
import io.powercut.tree.TreeFileException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Shows mistakes of the user as messages, and our own with the stack trace that mending needs. */
final class UserErrors implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult result)
      throws Exception {
    if (e instanceof CampaignException) {
      System.err.println(e.getMessage());
      return ExitCode.WRONG_USAGE.code();
    }
    if (e instanceof WrongUsageException) {
      System.err.println("powercut: " + e.getMessage());
      return ExitCode.WRONG_USAGE.code();
    }
    if (e instanceof NotTrustworthyException || e instanceof TreeFileException) {
      System.err.println("powercut: " + e.getMessage());
      return ExitCode.NOT_TRUSTWORTHY.code();
    }
    if (e instanceof InterruptedRunException) {
      System.err.println("powercut: interrupted");
      return ExitCode.INCOMPLETE.code();
    }
    System.err.println("powercut: this is a mistake of Powercut itself; please report it:");
    throw e;
  }
}
