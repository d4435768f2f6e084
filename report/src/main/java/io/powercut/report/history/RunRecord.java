// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.exit.ExitCode;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the history keeps of one run, its findings aside.
 *
 * @param campaign the campaign's name
 * @param started when it began
 * @param directory its run directory; nothing when it did not come so far
 * @param targetBuildId the build id of the target's program; empty when it is not known
 * @param shard which part of the failure points it was about; nothing for all
 * @param exitCode as {@code powercut run} ends, 0 to 4
 * @param complete whether every failure point was judged
 * @param message why it has no report; empty when it has one
 * @param failurePoints how many there were
 * @param injected at how many of them the power was cut
 * @param seconds of wall time
 * @param verdicts how many of each kind
 * @param timings seconds of wall time by phase
 */
public record RunRecord(
    String campaign,
    Instant started,
    Optional<Path> directory,
    String targetBuildId,
    Optional<String> shard,
    int exitCode,
    boolean complete,
    String message,
    long failurePoints,
    long injected,
    double seconds,
    Map<String, Long> verdicts,
    Map<String, Double> timings) {
  /** Copies the maps, keeping their order. */
  public RunRecord {
    directory = directory.map(path -> path.toAbsolutePath().normalize());
    verdicts = new LinkedHashMap<>(verdicts);
    timings = new LinkedHashMap<>(timings);
  }

  /** A run that came to a report. */
  static RunRecord of(Report report, Path directory) {
    return new RunRecord(
        report.campaign().name(),
        OffsetDateTime.parse(report.campaign().started()).toInstant(),
        Optional.of(directory),
        report.campaign().targetBuildId(),
        report.campaign().shard(),
        report.outcome().exitCode(),
        report.outcome().complete(),
        "",
        report.failurePoints().unique(),
        report.failurePoints().injected(),
        report.timings().getOrDefault("total", 0.0),
        report.verdicts(),
        report.timings());
  }

  /**
   * A run that came to no report.
   *
   * @param exit why: wrong usage, or not trustworthy
   * @param message why, in words
   */
  public static RunRecord failure(
      String campaign,
      Instant started,
      Optional<Path> directory,
      ExitCode exit,
      String message,
      double seconds) {
    return new RunRecord(
        campaign,
        started,
        directory,
        "",
        Optional.empty(),
        exit.code(),
        false,
        message,
        0,
        0,
        seconds,
        Map.of(),
        Map.of());
  }

  /** Whether it came to a report; else {@link #message} says why not. */
  public boolean hasReport() {
    return exitCode != ExitCode.WRONG_USAGE.code() && exitCode != ExitCode.NOT_TRUSTWORTHY.code();
  }

  /** Whether it ended before all was judged, so that it can be resumed. */
  public boolean isCutShort() {
    return hasReport() && !complete;
  }

  /**
   * Whether what it did not show was not there: it is complete, trustworthy and about all failure
   * points.
   */
  public boolean isConclusive() {
    return hasReport() && complete && shard.isEmpty();
  }
}
