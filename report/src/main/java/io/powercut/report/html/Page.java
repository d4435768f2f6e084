// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.exit.ExitCode;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import io.powercut.report.format.Text;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that the page shows.
 *
 * @param report the result
 * @param findings the most urgent first
 * @param quiet warnings in the user's own code
 * @param folded what is in libraries
 * @param moreFindings how many are not shown
 * @param kinds the kinds of the findings shown, as {@code REDUNDANT_FLUSH}
 * @param verdicts a bar for each kind of verdict that was given
 * @param phases a bar for each phase of the run
 * @param findingKinds a bar for each kind of finding
 * @param sources what happened at the lines of the user's files
 * @param tree {@link TreeData} as JSON that can stand in a page
 */
record Page(
    Report report,
    List<ShownFinding> findings,
    List<ShownFinding> quiet,
    List<Folded> folded,
    int moreFindings,
    Set<String> kinds,
    List<Bar> verdicts,
    List<Bar> phases,
    List<Bar> findingKinds,
    List<AnnotatedSource> sources,
    String tree) {
  private static final int FINDINGS_SHOWN = 500;
  private static final int OPEN_AT_FIRST = 3;
  private static final double SECONDS_PER_MINUTE = 60;

  static Page of(ReportedRun run) {
    Report report = run.report();
    List<Finding> all = report.findings();
    SourceFiles sources = SourceFiles.of(run);
    List<ShownFinding> shown = findings(run, sources);
    Set<String> fingerprints =
        shown.stream().map(one -> one.finding().fingerprint()).collect(Collectors.toSet());
    Map<String, Double> phases = new LinkedHashMap<>(report.timings());
    phases.remove("total");
    return new Page(
        report,
        shown.stream().filter(one -> !one.finding().isQuiet()).toList(),
        shown.stream().filter(one -> one.finding().isQuiet()).toList(),
        Folded.of(all.stream().filter(Page::isFolded).toList()),
        (int) all.stream().filter(one -> !isFolded(one)).count() - shown.size(),
        new TreeSet<>(countByKind(all).keySet()),
        Bar.of(report.verdicts(), Page::number, kind -> kind.toLowerCase(Locale.ROOT)),
        Bar.of(phases, Page::seconds, phase -> "phase"),
        Bar.of(countByKind(all), Page::number, kind -> severityOf(kind, all)),
        AnnotatedSource.of(run, sources, shown),
        embeddable(Json.line(TreeData.of(run, byFailurePoint(report, fingerprints)))));
  }

  private static Map<FailurePointId, String> byFailurePoint(Report report, Set<String> shown) {
    Map<FailurePointId, String> fingerprints = new HashMap<>();
    report
        .byFailurePoint()
        .forEach(
            (id, finding) -> {
              if (shown.contains(finding.fingerprint())) {
                fingerprints.put(id, finding.fingerprint());
              }
            });
    return fingerprints;
  }

  private static List<ShownFinding> findings(ReportedRun run, SourceFiles sources) {
    List<ShownFinding> findings = new ArrayList<>();
    for (Finding finding : run.report().findings()) {
      if (findings.size() == FINDINGS_SHOWN) {
        break;
      }
      if (isFolded(finding)) {
        continue;
      }
      boolean open =
          findings.size() < OPEN_AT_FIRST
              && finding.severity() == Severity.BUG
              && finding.accepted().isEmpty();
      findings.add(ShownFinding.of(finding, sources, run.directory(), open));
    }
    return findings;
  }

  /** What fails the run is shown in full, wherever it is. */
  private static boolean isFolded(Finding finding) {
    return finding.library().isPresent() && !finding.fails() && finding.accepted().isEmpty();
  }

  private static String severityOf(String kind, List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.kind().equals(kind))
        .map(finding -> finding.severity().name().toLowerCase(Locale.ROOT))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Long> countByKind(List<Finding> findings) {
    return findings.stream()
        .collect(Collectors.groupingBy(Finding::kind, LinkedHashMap::new, Collectors.counting()));
  }

  /** In a page, nothing in the JSON may look like the end of its element or a comment. */
  private static String embeddable(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  /** How many findings have the severity. */
  long count(Severity severity) {
    return report.findings().stream()
        .filter(one -> one.severity() == severity && one.explained().isEmpty())
        .count();
  }

  /** The result in a word, which is also the name of its colour. */
  String result() {
    int exitCode = report.outcome().exitCode();
    return exitCode == ExitCode.NOTHING_NEW.code()
        ? "good"
        : exitCode == ExitCode.NEW_BUGS.code() ? "bad" : "open";
  }

  /** A kind in words: {@code redundant flush}. */
  static String words(String kind) {
    return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** A number with its thousands apart. */
  static String number(Number number) {
    return String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /** So many of something: {@code 1 bug}, {@code 2 bugs}. */
  static String counted(Number number, String what) {
    return number(number) + " " + plural(number, what);
  }

  /** The word for so many of something. */
  static String plural(Number number, String what) {
    return Text.plural(number.longValue(), what);
  }

  /** A time in words, from seconds. */
  static String seconds(Number seconds) {
    double value = seconds.doubleValue();
    long minutes = (long) (value / SECONDS_PER_MINUTE);
    return minutes < 2
        ? String.format(Locale.ROOT, "%.1f s", value)
        : "%d min %.0f s".formatted(minutes, Math.floor(value - minutes * SECONDS_PER_MINUTE));
  }
}
