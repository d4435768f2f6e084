package io.powercut.orchestrator.sweep;

import com.google.common.base.Throwables;
import io.powercut.orchestrator.campaign.CampaignException;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.results.NotTrustworthyException;
import io.powercut.tree.TreeFileException;

/**
 * Why a campaign came to no report.
 *
 * @param exit as {@code powercut run} would have ended
 * @param message for people: the user's mistake as it is, one of Powercut's own with its stack
 *     trace
 */
record Failure(ExitCode exit, String message) {
  static Failure of(Throwable thrown) {
    if (thrown instanceof CampaignException) {
      return new Failure(ExitCode.WRONG_USAGE, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof NotTrustworthyException || thrown instanceof TreeFileException) {
      return new Failure(ExitCode.NOT_TRUSTWORTHY, String.valueOf(thrown.getMessage()));
    }
    return new Failure(
        ExitCode.NOT_TRUSTWORTHY,
        "this is a mistake of Powercut itself; please report it:\n"
            + Throwables.getStackTraceAsString(thrown));
  }
}
