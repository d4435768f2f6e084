// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.FailedOrder;
import io.powercut.report.evidence.OracleControls;
import io.powercut.report.evidence.TraceTotals;
import io.powercut.report.evidence.Untested;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.format.ShortName;
import io.powercut.report.format.Text;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report as text for a person, at most some screens long: the first bugs with all that is needed
 * to begin, everything else in a line.
 */
public final class Summary {
  private static final int BUGS_IN_FULL = 10;
  private static final int BUGS_IN_LINES = 20;
  private static final int RACES_IN_FULL = 3;
  private static final int OTHERS_IN_LINES = 5;

  private Summary() {}

  /**
   * The lines to print.
   *
   * @param report what to tell
   * @param reportFile where the whole of it is
   */
  public static List<String> of(Report report, String reportFile) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "failure points  %d unique, reached %d times, %d injected%s"
            .formatted(
                report.failurePoints().unique(),
                report.failurePoints().reached(),
                report.failurePoints().injected(),
                report.campaign().shard().map(shard -> ", part " + shard).orElse("")));
    if (report.failurePoints().unique() == 0) {
      lines.add(
          "  nothing was tested: the target reached no flush, fence or msync after a store to PM");
    }
    lines.add("verdicts        " + verdicts(report.verdicts()));
    addOccurrences(report, lines);
    report
        .inconclusive()
        .forEach((reason, count) -> lines.add("  not judged    %d: %s".formatted(count, reason)));
    report
        .states()
        .ifPresent(
            states -> {
              lines.add("crash states    " + states(states));
              if (!states.left().isEmpty()) {
                lines.add(
                    "  wanted, but beyond crashStates.perFailurePoint: " + byPolicy(states.left()));
              }
            });
    report
        .recoveryCrashes()
        .ifPresent(
            second -> {
              lines.add("recovery crash  " + recoveryCrashes(second));
              if (second.images() > 0 && second.judged() == 0 && second.uncut() == 0) {
                lines.add(
                    "  no crash during recovery was tried: in the selected steps and functions, recovery"
                        + " reached no flush, fence or msync after a store to PM");
              }
            });
    report.trace().ifPresent(totals -> lines.add("trace           " + trace(totals)));
    report
        .races()
        .ifPresent(
            races -> {
              lines.add("races           " + races(races));
              for (FailedOrder order : races.failures()) {
                lines.add("  " + order.inWords());
                lines.add("    repeat it with powercut races and " + order.options());
              }
              if (isWorthMoreOrders(report.findings())) {
                lines.add(
                    "  some did not happen in this order of threads; --set races.runs=8 tries others");
              }
            });
    report
        .outside()
        .ifPresent(
            outside -> outside.inWords().forEach(words -> lines.add("not tested      " + words)));
    report
        .controls()
        .filter(OracleControls::isBlind)
        .ifPresent(controls -> lines.add("oracle control  " + controls.inWords()));
    lines.add("findings        " + counts(report));
    addFindings(report, lines);
    addUntested(report, lines);
    report
        .baseline()
        .filter(baseline -> !baseline.gone().isEmpty())
        .ifPresent(
            baseline ->
                lines.add(
                    "baseline        no longer found, remove from %s: %s"
                        .formatted(baseline.file(), String.join(", ", baseline.gone()))));
    report
        .baseline()
        .ifPresent(
            baseline ->
                baseline
                    .former()
                    .forEach(
                        (former, now) ->
                            lines.add(
                                "baseline        %s accepts %s by a former fingerprint: accept it again"
                                    .formatted(former, String.join(", ", now)))));
    lines.add("result          " + report.outcome().meaning());
    lines.add(String.format(Locale.ROOT, "time            %.1f s", report.timings().get("total")));
    lines.add("report          " + reportFile);
    return lines.stream().map(Text::printed).toList();
  }

  private static void addOccurrences(Report report, List<String> lines) {
    long left = report.failurePoints().reached() - report.images().judged();
    if (left > 0 && report.campaign().shard().isEmpty()) {
      lines.add(
          ("  %d of %d occurrences were not judged; --set occurrences.share=100 judges more, or"
                  + " occurrences.first=N")
              .formatted(left, report.failurePoints().reached()));
    }
  }

  private static String verdicts(Map<String, Long> verdicts) {
    List<String> parts = new ArrayList<>();
    verdicts.forEach((kind, count) -> parts.add(count + " " + kind.toLowerCase(Locale.ROOT)));
    return String.join(", ", parts);
  }

  private static String recoveryCrashes(Report.RecoveryCrashes second) {
    return "%s, recovery crashed %s at %s; %d failing"
        .formatted(
            counted(second.images(), "image"),
            counted(second.judged(), "time"),
            counted(second.failurePoints(), "place"),
            second.failing());
  }

  private static String states(Report.States states) {
    String policies = byPolicy(states.byPolicy());
    return "%d beyond program order%s, %d recoveries, %d failing"
        .formatted(
            states.judged(),
            policies.isEmpty() ? "" : " (" + policies + ")",
            states.recoveries(),
            states.failing());
  }

  private static String byPolicy(Map<String, Long> counts) {
    List<String> policies = new ArrayList<>();
    counts.forEach((policy, count) -> policies.add(count + " " + policy));
    return String.join(", ", policies);
  }

  /** Whether another order may show that a race happens, and let a crash confirm it. */
  private static boolean isWorthMoreOrders(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.RACE)
        .flatMap(finding -> finding.races().stream())
        .anyMatch(race -> race.searched() == 1 && race.observations() == 0);
  }

  private static String races(Report.Races races) {
    List<String> parts = new ArrayList<>();
    races.byEvidence().forEach((level, count) -> parts.add(count + " " + level));
    return (parts.isEmpty() ? "none between the threads that use PM" : String.join(", ", parts))
        + (races.tried() == 0
            ? ""
            : "; a crash was tried of %d and confirmed %d"
                .formatted(races.tried(), races.confirmed()))
        + (races.complete() ? "" : "; not all of the trace could be kept, so there may be more");
  }

  private static String trace(TraceTotals totals) {
    return "%d stores, %d flushes (%d redundant), %d fences (%d redundant)"
        .formatted(
            totals.stores(),
            totals.flushes(),
            totals.redundantFlushes(),
            totals.fences(),
            totals.redundantFences());
  }

  private static String counts(Report report) {
    long races = count(report, Severity.RACE);
    return "%s, %s%s, %s%s"
        .formatted(
            counted(count(report, Severity.BUG), "bug"),
            races == 0 ? "" : counted(races, "race") + ", ",
            counted(count(report, Severity.PERFORMANCE), "performance bug"),
            counted(count(report, Severity.WARNING), "warning"),
            report
                .baseline()
                .map(baseline -> "; " + baseline.accepted() + " of them accepted")
                .orElse(""));
  }

  /** So many of something: {@code 1 bug}, {@code 2 bugs}. */
  static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(Report report, Severity severity) {
    return report.findings().stream().filter(one -> one.severity() == severity).count();
  }

  private static void addFindings(Report report, List<String> lines) {
    List<Finding> bugs = new ArrayList<>();
    List<Finding> others = new ArrayList<>();
    for (Finding finding : report.findings()) {
      (finding.severity() == Severity.BUG && finding.accepted().isEmpty() ? bugs : others)
          .add(finding);
    }
    for (Finding bug : bugs.subList(0, Math.min(BUGS_IN_FULL, bugs.size()))) {
      lines.add("");
      lines.addAll(FindingLines.of(bug));
    }
    if (!bugs.isEmpty()) {
      lines.add("");
    }
    addInLines(
        bugs.subList(Math.min(BUGS_IN_FULL, bugs.size()), bugs.size()), BUGS_IN_LINES, lines);
    List<Finding> races = others.stream().filter(Summary::isOpenRace).limit(RACES_IN_FULL).toList();
    if (bugs.isEmpty() && !races.isEmpty()) {
      lines.add("");
    }
    for (Finding race : races) {
      lines.addAll(FindingLines.of(race));
      lines.add("");
    }
    others.removeAll(races);
    addInLines(others, OTHERS_IN_LINES, lines);
  }

  private static boolean isOpenRace(Finding finding) {
    return finding.severity() == Severity.RACE && finding.accepted().isEmpty();
  }

  /**
   * Only where nothing was found: with bugs to fix, users do not assume that the rest was tested.
   */
  private static void addUntested(Report report, List<String> lines) {
    if (count(report, Severity.BUG) > 0) {
      return;
    }
    report
        .untested()
        .filter(untested -> !untested.functions().isEmpty())
        .ifPresent(
            untested -> {
              lines.add(
                  "untested        %s with persistency instructions not tested"
                      .formatted(counted(untested.count(), "function")));
              addUntested("never ran: ", untested, false, lines);
              addUntested("ran only outside failurePoints.begin and end: ", untested, true, lines);
              if (untested.more() > 0) {
                lines.add("  and %d more".formatted(untested.more()));
              }
            });
  }

  private static void addUntested(
      String title, Untested untested, boolean outsideOnly, List<String> lines) {
    List<String> names =
        untested.functions().stream()
            .filter(one -> one.outsideOnly() == outsideOnly)
            .map(one -> ShortName.of(one.function()))
            .toList();
    if (!names.isEmpty()) {
      lines.add("  " + title + String.join(", ", names));
    }
  }

  private static void addInLines(List<Finding> findings, int most, List<String> lines) {
    findings.stream().limit(most).map(FindingLines::inALine).forEach(lines::add);
    if (findings.size() > most) {
      lines.add("  and %d more in report.html".formatted(findings.size() - most));
    }
  }
}
