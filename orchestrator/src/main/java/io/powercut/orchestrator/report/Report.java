package io.powercut.orchestrator.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;

/**
 * The result of one run, as {@code report.json} holds it; docs/report.md describes it for readers
 * of other languages.
 *
 * @param format version of this layout; 1
 * @param campaign what was run
 * @param outcome how it ended
 * @param failurePoints how many there were
 * @param images how many crash images were judged
 * @param verdicts how often each kind of verdict was given, every kind being present
 * @param findings what was found, in the order of their first failure point
 * @param inconclusive why failure points could not be judged, with how many each
 * @param timings seconds of wall time by phase
 * @param environment the machine and the tools
 */
@JsonPropertyOrder({
  "format",
  "campaign",
  "outcome",
  "failurePoints",
  "images",
  "verdicts",
  "findings",
  "inconclusive",
  "timings",
  "environment"
})
public record Report(
    int format,
    CampaignSummary campaign,
    Outcome outcome,
    FailurePoints failurePoints,
    Images images,
    Map<String, Long> verdicts,
    List<Finding> findings,
    Map<String, Long> inconclusive,
    Map<String, Double> timings,
    Map<String, String> environment) {
  /** Version of the layout that this class writes. */
  public static final int FORMAT = 1;

  /** Copies the lists; the maps keep their order and are not to be changed afterwards. */
  public Report {
    findings = List.copyOf(findings);
  }

  /**
   * @param name the campaign's name
   * @param file the campaign file, absolute
   * @param injection {@code re-executed} or {@code recorded}
   * @param granularity {@code persistency} or {@code store}
   */
  public record CampaignSummary(String name, String file, String injection, String granularity) {}

  /**
   * @param exitCode 0 to 4, as {@code powercut} exits
   * @param meaning the exit code in words
   * @param complete whether every failure point has a verdict other than inconclusive
   */
  public record Outcome(int exitCode, String meaning, boolean complete) {}

  /**
   * @param reached how often failure points were reached in the instrumented run
   * @param unique how many different ones there are
   * @param injected at how many of them the power was cut and recovery asked
   */
  public record FailurePoints(long reached, long unique, long injected) {}

  /**
   * @param judged how many failure points were judged
   * @param distinct how many different images there were among them; equal ones share a recovery
   */
  public record Images(long judged, long distinct) {}
}
