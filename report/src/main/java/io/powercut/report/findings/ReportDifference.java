// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the findings of one run differ from those of another. Findings are distinguished by
 * fingerprint, so that moved lines make no difference.
 *
 * @param format version of this layout; 1
 * @param earlier the run that is compared with
 * @param later the run that is compared
 * @param fresh findings of the later run only
 * @param gone findings of the earlier run only
 * @param same findings of both, as the later run has them
 */
public record ReportDifference(
    int format,
    Side earlier,
    Side later,
    @JsonProperty("new") List<Finding> fresh,
    List<Finding> gone,
    List<Finding> same) {
  /** Version of the layout. */
  public static final int FORMAT = 1;

  /** Copies the lists. */
  public ReportDifference {
    fresh = List.copyOf(fresh);
    gone = List.copyOf(gone);
    same = List.copyOf(same);
  }

  /**
   * One of the two runs.
   *
   * @param run its directory
   * @param campaign its campaign's name
   * @param started when it began: ISO 8601 with the offset from UTC
   * @param complete whether it judged everything; else it may have missed findings
   */
  public record Side(String run, String campaign, String started, boolean complete) {
    /** Names a run. */
    public static Side of(String run, Report report) {
      return new Side(
          run,
          report.campaign().name(),
          report.campaign().started(),
          report.outcome().complete() && report.campaign().shard().isEmpty());
    }
  }

  /**
   * Compares two runs.
   *
   * @param earlierRun the directory of the earlier one, for readers
   * @param laterRun the directory of the later one
   */
  public static ReportDifference of(
      String earlierRun, Report earlier, String laterRun, Report later) {
    return new ReportDifference(
        FORMAT,
        Side.of(earlierRun, earlier),
        Side.of(laterRun, later),
        loud(later).filter(one -> !isIn(earlier, one)).toList(),
        loud(earlier).filter(one -> !isIn(later, one)).toList(),
        loud(later).filter(one -> isIn(earlier, one)).toList());
  }

  private static Stream<Finding> loud(Report report) {
    return report.findings().stream().filter(finding -> !finding.isQuiet());
  }

  /** One of the runs may have been made before fingerprints became what they are. */
  private static boolean isIn(Report report, Finding finding) {
    return report.findings().stream()
        .anyMatch(
            one -> finding.isCalled(one.fingerprint()) || one.isCalled(finding.fingerprint()));
  }

  /** Whether something is new that makes a run end with exit code 1. */
  @JsonIgnore
  public boolean hasNewFailures() {
    return fresh.stream().anyMatch(Finding::fails);
  }
}
