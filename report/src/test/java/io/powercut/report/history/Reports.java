// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports for tests of what is kept of them. */
public final class Reports {
  private Reports() {}

  /** A complete report with bugs of these fingerprints. */
  public static Report complete(String campaign, Instant started, List<String> fingerprints) {
    return report(campaign, started, true, Optional.empty(), fingerprints, 10);
  }

  /** A report with bugs of these fingerprints at that line of map.c. */
  public static Report report(
      String campaign,
      Instant started,
      boolean complete,
      Optional<String> shard,
      List<String> fingerprints,
      int line) {
    int exitCode = !fingerprints.isEmpty() ? 1 : complete ? 0 : 4;
    return new Report(
        Report.FORMAT,
        new Report.CampaignSummary(
            campaign,
            "/c/" + campaign + ".yaml",
            "recorded",
            "persistency",
            started.toString(),
            "b01dface",
            shard),
        new Report.Outcome(exitCode, "", complete),
        new Report.FailurePoints(100, 12, 11),
        new Report.Images(11, 7),
        Map.of("CONSISTENT", 10L, "CRASHED", 1L),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        fingerprints.stream().map(fingerprint -> bug(fingerprint, line)).toList(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of("injection", 1.5, "total", 2.5),
        Map.of());
  }

  /** A name with {@code was} and another one was called so by an earlier version of Powercut. */
  private static Finding bug(String name, int line) {
    List<String> names = List.of(name.split(" was ", 2));
    List<StackFrame> stack =
        List.of(
            new StackFrame("persist", "pm.h", 44, "app", "0x10"),
            new StackFrame("insert", "map.c", line, "app", "0x20"));
    return new Finding(
        "NOT_PERSISTED",
        Severity.BUG,
        true,
        names.get(0),
        names.subList(1, names.size()),
        false,
        3,
        "a store that is never persisted",
        stack,
        List.of(
            new TraceEvidence(
                PatternKind.NOT_PERSISTED,
                Severity.BUG,
                "a store that is never persisted",
                List.of(new TraceEvidence.Place("store", "mov", stack)),
                3,
                Optional.empty(),
                "pool",
                64)),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
