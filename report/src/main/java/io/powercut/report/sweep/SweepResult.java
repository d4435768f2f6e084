// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.FindingCounts;
import io.powercut.report.history.FindingHistory;
import io.powercut.report.history.HistoryRun;
import io.powercut.report.history.RunChanges;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.Timeline;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The outcome of one campaign of a sweep.
 *
 * @param campaign its name
 * @param run what its run came to; nothing when it was not run
 * @param findings how many it showed
 * @param changes what is different from the runs before
 * @param reason why it was not run, or has no report; empty when it has one
 */
public record SweepResult(
    String campaign,
    Optional<RunRecord> run,
    FindingCounts findings,
    RunChanges changes,
    String reason) {
  /** A campaign that was not run. */
  public static SweepResult notRun(String campaign, String reason) {
    return new SweepResult(campaign, Optional.empty(), FindingCounts.NONE, RunChanges.NONE, reason);
  }

  /** A run as the history has it. */
  public static SweepResult of(Timeline timeline, HistoryRun run) {
    return new SweepResult(
        run.facts().campaign(),
        Optional.of(run.facts()),
        run.findings(),
        timeline.changesOf(run),
        run.facts().message());
  }

  /** A run that came to no report. */
  public static SweepResult failed(RunRecord failure) {
    return new SweepResult(
        failure.campaign(),
        Optional.of(failure),
        FindingCounts.NONE,
        RunChanges.NONE,
        failure.message());
  }

  /** As {@code powercut run} would have ended; incomplete when it was not run. */
  public ExitCode exit() {
    return run.flatMap(one -> ExitCode.of(one.exitCode())).orElse(ExitCode.INCOMPLETE);
  }

  /** What came of it, in one word. */
  public enum Kind {
    /** It has bugs that are not accepted. */
    WITH_BUGS("with bugs"),
    /** Its file is wrong, or its result is not trustworthy. */
    FAILED("failed"),
    /** It was cut short, and what it saw is fine. */
    INCOMPLETE("incomplete"),
    /** It is complete, with nothing new. */
    CLEAN("clean"),
    /** Its turn did not come. */
    NOT_RUN("not run");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** As it follows a number. */
    public String words() {
      return words;
    }
  }

  /** What came of it. */
  public Kind kind() {
    if (run.isEmpty()) {
      return Kind.NOT_RUN;
    }
    return switch (exit()) {
      case NEW_BUGS -> Kind.WITH_BUGS;
      case WRONG_USAGE, NOT_TRUSTWORTHY -> Kind.FAILED;
      case INCOMPLETE -> Kind.INCOMPLETE;
      case NOTHING_NEW -> Kind.CLEAN;
    };
  }

  /** Findings that were not there before: first those never seen, then those that were gone. */
  public List<FindingHistory> news() {
    return Stream.concat(changes.added().stream(), changes.again().stream()).toList();
  }
}
