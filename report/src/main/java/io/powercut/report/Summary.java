// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.facts.TraceTotals;
import io.powercut.report.facts.Untested;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.LibraryLine;
import io.powercut.report.findings.Report;
import io.powercut.report.format.ShortName;
import io.powercut.report.format.Text;
import io.powercut.report.rundir.Shard;
import io.powercut.tree.Severity;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A report as text for a person, at most some screens long: the first bugs with all that is needed
 * to begin, everything else in a line.
 */
public final class Summary {
  /** Which libraries have functions without names, and what helps: a key of the environment. */
  public static final String WITHOUT_SYMBOLS = "withoutSymbols";

  /** The same of programs whose places have no source lines, and what to do. */
  public static final String WITHOUT_LINES = "withoutLines";

  private static final int BUGS_IN_FULL = 10;
  private static final int BUGS_IN_LINES = 20;
  private static final int RACES_IN_FULL = 3;
  private static final int OTHERS_IN_LINES = 5;

  private Summary() {}

  private static String withoutFailurePoints(Report report) {
    return report.isTestedAtTheEnd() ? "only the end of the run was tested" : "nothing was tested";
  }

  private static String elsewhere(Report report) {
    return report.isTested() && !report.isTestedAtTheEnd()
        ? "; another part tests the end of the run"
        : "";
  }

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
          "  %s: the target reached no flush, fence or msync after a store to PM%s"
              .formatted(withoutFailurePoints(report), elsewhere(report)));
    }
    lines.add("verdicts        " + verdicts(report.verdicts()));
    report
        .inconclusive()
        .forEach((reason, count) -> lines.add("  not judged    %d: %s".formatted(count, reason)));
    report.states().ifPresent(states -> lines.add("crash states    " + states(states)));
    report
        .states()
        .filter(states -> states.decided() > 0)
        .ifPresent(states -> lines.add("decided         " + decided(states) + reservation(report)));
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
    addProved(report, lines);
    addNotTried(report, lines);
    report.trace().ifPresent(totals -> lines.add("trace           " + trace(totals)));
    report
        .races()
        .ifPresent(
            races -> {
              lines.add("races           " + races(races));
              races.notes().forEach(note -> lines.add("  " + note));
              for (FailedOrder order : races.failures()) {
                lines.add("  " + order.inWords());
                lines.add("    repeat it with powercut races and " + order.options());
              }
              if (isWorthMoreOrders(report.findings())) {
                lines.add(
                    "  some did not happen in this order of threads; --set races.runs=8 tries others");
              }
            });
    report.dataRaces().ifPresent(races -> addDataRaces(races, lines));
    report
        .outside()
        .ifPresent(
            outside -> outside.inWords().forEach(words -> lines.add("not tested      " + words)));
    report
        .controlsInWords()
        .filter(words -> report.mayBeBlind())
        .ifPresent(words -> lines.add("oracle control  " + words));
    lines.add("findings        " + counts(report));
    addFindings(report, lines);
    addUntested(report, lines);
    if (report.findings().stream().anyMatch(finding -> !finding.isQuiet())) {
      Optional.ofNullable(report.environment().get(WITHOUT_LINES))
          .ifPresent(advice -> lines.add("no lines        " + advice));
    }
    if (hasNamelessFrames(report)) {
      Optional.ofNullable(report.environment().get(WITHOUT_SYMBOLS))
          .ifPresent(advice -> lines.add("no symbols      " + advice));
    }
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
    addResult(report, reportFile, lines);
    return lines.stream().map(Text::printed).toList();
  }

  /**
   * Only the bugs, the result and where the whole of it is.
   *
   * @param report what to tell
   * @param reportFile where the whole of it is
   */
  public static List<String> brief(Report report, String reportFile) {
    List<String> lines = new ArrayList<>();
    addBugs(
        report.findings().stream()
            .filter(finding -> finding.fails() || (isOpenBug(finding) && !finding.isQuiet()))
            .toList(),
        lines);
    addResult(report, reportFile, lines);
    return lines.stream().map(Text::printed).toList();
  }

  private static void addResult(Report report, String reportFile, List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "result          %s (%.1f s)",
            report.outcome().meaning(),
            report.timings().get("total")));
    lines.add("report          " + reportFile);
  }

  /** Whether a finding that is shown has a frame without a function. */
  private static boolean hasNamelessFrames(Report report) {
    return report.findings().stream()
        .filter(finding -> !finding.isQuiet())
        .flatMap(Summary::stacks)
        .flatMap(List::stream)
        .anyMatch(frame -> frame.function().isEmpty());
  }

  /** Its place, which the title names, and where power was cut. */
  private static Stream<List<StackFrame>> stacks(Finding finding) {
    return Stream.concat(
        Stream.of(finding.stack()), finding.evidence().stream().map(Evidence::stack));
  }

  /** What is certain where recovery never failed; not if it accepts everything. */
  private static void addProved(Report report, List<String> lines) {
    long failing =
        report.states().map(Report.States::failing).orElse(0L)
            + report.recoveryCrashes().map(Report.RecoveryCrashes::failing).orElse(0L);
    long consistent = report.verdicts().getOrDefault("CONSISTENT", 0L);
    if (failing > 0
        || report.mayBeBlind()
        || consistent == 0
        || consistent < report.images().judged()) {
      return;
    }
    boolean complete = report.outcome().complete();
    long injected = report.failurePoints().injected();
    lines.add(
        "proved          %srecovery succeeds after a power cut at %s: on %s%s%s"
            .formatted(
                complete ? "" : "so far, ",
                injected == report.failurePoints().unique() && complete
                    ? "every failure point"
                    : injected + " of " + report.failurePoints().unique() + " failure points",
                Text.counted(consistent, "image"),
                report
                    .states()
                    .map(states -> " and " + Text.counted(states.judged(), "crash state"))
                    .orElse(""),
                report
                    .recoveryCrashes()
                    .filter(second -> second.judged() > 0)
                    .map(
                        second ->
                            ", and after "
                                + Text.counted(second.judged(), "crash")
                                + " during it"
                                + (second.states() > 0
                                    ? " with " + Text.counted(second.states(), "crash state")
                                    : ""))
                    .orElse("")));
  }

  private static void addNotTried(Report report, List<String> lines) {
    List<String> parts = new ArrayList<>();
    long left = report.failurePoints().reached() - report.images().judged();
    if (left > 0 && report.campaign().shard().isEmpty()) {
      parts.add(
          "%d of %d occurrences (--set occurrences.share=100 tries more)"
              .formatted(left, report.failurePoints().reached()));
    }
    long states =
        report.states().stream()
            .flatMap(one -> one.left().values().stream())
            .mapToLong(Long::longValue)
            .sum();
    report
        .campaign()
        .shard()
        .filter(shard -> !Shard.parse(shard).looksForPatterns())
        .ifPresent(shard -> parts.add("patterns and races (part 1 looks for them)"));
    if (states > 0) {
      parts.add(Text.counted(states, "crash state") + " (crashStates.perFailurePoint)");
    }
    report
        .recoveryCrashes()
        .filter(second -> second.left() > 0)
        .ifPresent(
            second ->
                parts.add(
                    "crashes during recovery on %s (recoveryCrash.images)"
                        .formatted(Text.counted(second.left(), "image"))));
    report
        .races()
        .ifPresent(
            races ->
                races
                    .left()
                    .forEach(
                        (key, count) ->
                            parts.add(
                                "%s of a writer (%s)"
                                    .formatted(Text.counted(count, "hold"), key))));
    if (!parts.isEmpty()) {
      lines.add("not tried       " + String.join(", ", parts));
    }
  }

  private static String verdicts(Map<String, Long> verdicts) {
    List<String> parts = new ArrayList<>();
    verdicts.forEach((kind, count) -> parts.add(count + " " + kind.toLowerCase(Locale.ROOT)));
    return String.join(", ", parts);
  }

  private static String recoveryCrashes(Report.RecoveryCrashes second) {
    return "%s, recovery crashed %s at %s%s; %d failing"
        .formatted(
            Text.counted(second.images(), "image"),
            Text.counted(second.judged(), "time"),
            Text.counted(second.failurePoints(), "place"),
            second.states() > 0 ? ", " + Text.counted(second.states(), "crash state") : "",
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

  private static String decided(Report.States states) {
    return "every legal crash state at %d of %s"
        .formatted(states.decided(), Text.counted(states.tested(), "failure point"));
  }

  /** What a decision is worth that an oracle made which accepts everything. */
  private static String reservation(Report report) {
    return report.mayBeBlind() ? ", by a recovery that may be blind" : "";
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
        .anyMatch(
            race -> race.searched() == 1 && race.observations() == 0 && race.held().isEmpty());
  }

  private static String races(Report.Races races) {
    List<String> parts = new ArrayList<>();
    races.byEvidence().forEach((level, count) -> parts.add(count + " " + level));
    return (parts.isEmpty() ? "none between the threads that use PM" : String.join(", ", parts))
        + (races.tried() == 0
            ? ""
            : "; a crash was tried of %d and confirmed %d%s"
                .formatted(races.tried(), races.confirmed(), races.unconfirmedInWords()))
        + (races.complete() ? "" : "; not all of the trace could be kept, so there may be more");
  }

  private static void addDataRaces(Report.DataRaces races, List<String> lines) {
    lines.add("data races      " + races.inWords());
    races.limits().forEach(limit -> lines.add("  limit: " + limit));
    races
        .failures()
        .forEach(failure -> lines.add("  failed: " + failure.lines().findFirst().orElse("")));
  }

  private static String trace(TraceTotals totals) {
    return "%d stores, %d flushes (%s), %d fences (%s)"
        .formatted(
            totals.stores(),
            totals.flushes(),
            redundant(totals.redundantFlushes(), totals.flushes()),
            totals.fences(),
            redundant(totals.redundantFences(), totals.fences()));
  }

  private static String redundant(long count, long all) {
    return count == 0
        ? "0 redundant"
        : String.format(Locale.ROOT, "%d redundant, %.0f %%", count, 100.0 * count / all);
  }

  private static String counts(Report report) {
    List<Finding> shown = report.findings().stream().filter(one -> !one.isQuiet()).toList();
    long races = count(shown, Severity.RACE);
    long warnings = count(shown, Severity.WARNING);
    return "%s, %s%s%s%s"
        .formatted(
            Text.counted(count(shown, Severity.BUG), "bug"),
            races == 0 ? "" : Text.counted(races, "race") + ", ",
            Text.counted(count(shown, Severity.PERFORMANCE), "performance bug"),
            warnings == 0 ? "" : ", " + Text.counted(warnings, "warning"),
            report
                .baseline()
                .filter(baseline -> baseline.accepted() > 0)
                .map(baseline -> "; " + baseline.accepted() + " of them accepted")
                .orElse(""));
  }

  /** What is not in a line of its own: by library, the user's own code first. */
  private static void addQuiet(List<Finding> findings, List<String> lines) {
    Map<String, List<Finding>> byLibrary = new TreeMap<>();
    findings.forEach(
        finding ->
            byLibrary
                .computeIfAbsent(finding.library().orElse(""), unknown -> new ArrayList<>())
                .add(finding));
    byLibrary.forEach(
        (library, those) -> lines.add("  " + LibraryLine.of(library, those) + ": report.html"));
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(one -> one.severity() == severity).count();
  }

  private static void addFindings(Report report, List<String> lines) {
    List<Finding> bugs = new ArrayList<>();
    List<Finding> others = new ArrayList<>();
    List<Finding> folded = new ArrayList<>();
    for (Finding finding : report.findings()) {
      if (finding.isQuiet() || isInLibrary(finding)) {
        folded.add(finding);
        continue;
      }
      (isOpenBug(finding) ? bugs : others).add(finding);
    }
    addBugs(bugs, lines);
    addRaces(bugs.isEmpty(), others, lines);
    addInLines(others, OTHERS_IN_LINES, lines);
    addQuiet(folded, lines);
  }

  /**
   * Some races in full, each with how many other loads race with the same store and persist.
   *
   * @param others loses what was told; what is left of it begins with races of other stores
   */
  private static void addRaces(boolean isFirst, List<Finding> others, List<String> lines) {
    Map<List<String>, List<Finding>> byStore = new LinkedHashMap<>();
    others.stream()
        .filter(Summary::isOpenRace)
        .forEach(
            race -> byStore.computeIfAbsent(storeOf(race), unknown -> new ArrayList<>()).add(race));
    if (isFirst && !byStore.isEmpty()) {
      lines.add("");
    }
    byStore.values().stream()
        .limit(RACES_IN_FULL)
        .forEach(
            races -> {
              lines.addAll(FindingLines.of(races.get(0)));
              if (races.size() > 1) {
                lines.add(
                    "  and %s of this store in report.html"
                        .formatted(Text.counted(races.size() - 1, "more load")));
              }
              lines.add("");
              others.removeAll(races);
            });
    byStore.values().stream()
        .skip(RACES_IN_FULL)
        .flatMap(races -> races.stream().skip(1))
        .forEach(
            race -> {
              others.remove(race);
              others.add(race);
            });
  }

  /** The places of store and persist; those of a data race are its own. */
  private static List<String> storeOf(Finding finding) {
    return finding.races().stream()
        .findFirst()
        .map(
            race ->
                List.of(
                    placeOf(race.store().stack()),
                    race.end().toString(),
                    race.persist().map(step -> placeOf(step.stack())).orElse("")))
        .orElse(List.of(finding.fingerprint()));
  }

  private static String placeOf(List<StackFrame> stack) {
    return UserCode.of(stack).map(StackFrame::text).orElse("");
  }

  private static void addBugs(List<Finding> bugs, List<String> lines) {
    for (Finding bug : bugs.subList(0, Math.min(BUGS_IN_FULL, bugs.size()))) {
      lines.add("");
      lines.addAll(FindingLines.of(bug));
    }
    if (!bugs.isEmpty()) {
      lines.add("");
    }
    addInLines(
        bugs.subList(Math.min(BUGS_IN_FULL, bugs.size()), bugs.size()), BUGS_IN_LINES, lines);
  }

  private static boolean isOpenBug(Finding finding) {
    return finding.severity() == Severity.BUG && finding.accepted().isEmpty();
  }

  private static boolean isInLibrary(Finding finding) {
    return finding.library().isPresent() && !finding.fails() && finding.accepted().isEmpty();
  }

  private static boolean isOpenRace(Finding finding) {
    return finding.severity() == Severity.RACE && finding.accepted().isEmpty();
  }

  /**
   * Only where nothing was found: with bugs to fix, users do not assume that the rest was tested.
   */
  private static void addUntested(Report report, List<String> lines) {
    if (count(report.findings(), Severity.BUG) > 0) {
      return;
    }
    report
        .untested()
        .filter(untested -> !untested.functions().isEmpty())
        .ifPresent(
            untested -> {
              lines.add(
                  "untested        %s with persistency instructions not tested"
                      .formatted(Text.counted(untested.count(), "function")));
              addUntested("never ran: ", untested, false, lines);
              addUntested("ran only outside failurePoints.begin and end: ", untested, true, lines);
              if (untested.more() > 0) {
                lines.add(
                    lines.remove(lines.size() - 1) + " and %d more".formatted(untested.more()));
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
