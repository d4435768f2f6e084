package io.powercut.orchestrator.report;

import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report as text for a person, at most some screens long: bugs with all that is needed to begin,
 * everything else in a line.
 */
public final class Summary {
  private static final int BUGS_SHOWN = 20;
  private static final int LINES_SHOWN = 5;
  private static final int FRAMES_SHOWN = 12;
  private static final int OUTPUT_LINES_SHOWN = 4;
  private static final int STATES_SHOWN = 3;

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
    report
        .inconclusive()
        .forEach((reason, count) -> lines.add("  not judged    %d: %s".formatted(count, reason)));
    report.states().ifPresent(states -> lines.add("crash states    " + states(states)));
    report
        .secondCrashes()
        .ifPresent(
            second -> {
              lines.add("second crashes  " + secondCrashes(second));
              if (second.images() > 0 && second.judged() == 0 && second.uncut() == 0) {
                lines.add(
                    "  no second crash was tried: where it may be cut, recovery reached no flush,"
                        + " fence or msync after a store to PM");
              }
            });
    report.trace().ifPresent(totals -> lines.add("trace           " + trace(totals)));
    lines.add("findings        " + counts(report));
    addFindings(report, lines);
    report
        .baseline()
        .filter(baseline -> !baseline.gone().isEmpty())
        .ifPresent(
            baseline ->
                lines.add(
                    "baseline        gone, so remove from %s: %s"
                        .formatted(baseline.file(), String.join(", ", baseline.gone()))));
    lines.add("result          " + report.outcome().meaning());
    lines.add(String.format(Locale.ROOT, "time            %.1f s", report.timings().get("total")));
    lines.add("report          " + reportFile);
    return lines.stream().map(Text::printed).toList();
  }

  private static String verdicts(Map<String, Long> verdicts) {
    List<String> parts = new ArrayList<>();
    verdicts.forEach((kind, count) -> parts.add(count + " " + kind.toLowerCase(Locale.ROOT)));
    return String.join(", ", parts);
  }

  private static String secondCrashes(Report.SecondCrashes second) {
    return "%s, on which recovery was cut %s at %s; %d failing"
        .formatted(
            counted(second.images(), "image"),
            counted(second.judged(), "time"),
            counted(second.failurePoints(), "place"),
            second.failing());
  }

  private static String states(Report.States states) {
    List<String> policies = new ArrayList<>();
    states.byPolicy().forEach((policy, count) -> policies.add(count + " " + policy));
    return "%d beyond program order%s, %d recoveries, %d failing"
        .formatted(
            states.judged(),
            policies.isEmpty() ? "" : " (" + String.join(", ", policies) + ")",
            states.recoveries(),
            states.failing());
  }

  private static String trace(Report.TraceTotals totals) {
    return "%d stores, %d flushes (%d redundant), %d fences (%d redundant)"
        .formatted(
            totals.stores(),
            totals.flushes(),
            totals.redundantFlushes(),
            totals.fences(),
            totals.redundantFences());
  }

  private static String counts(Report report) {
    return "%s, %s, %s%s"
        .formatted(
            counted(count(report, Severity.BUG), "bug"),
            counted(count(report, Severity.PERFORMANCE), "performance bug"),
            counted(count(report, Severity.WARNING), "warning"),
            report
                .baseline()
                .map(baseline -> "; " + baseline.accepted() + " of them accepted")
                .orElse(""));
  }

  private static String counted(long count, String what) {
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
    bugs.stream().limit(BUGS_SHOWN).forEach(bug -> lines.addAll(inFull(bug)));
    if (bugs.size() > BUGS_SHOWN) {
      lines.add("");
      lines.add("and %d more bugs".formatted(bugs.size() - BUGS_SHOWN));
    }
    if (!bugs.isEmpty()) {
      lines.add("");
    }
    others.stream().limit(LINES_SHOWN).map(Summary::inALine).forEach(lines::add);
    if (others.size() > LINES_SHOWN) {
      lines.add("  and %d more".formatted(others.size() - LINES_SHOWN));
    }
  }

  private static String inALine(Finding finding) {
    return "  %s%s %s, %s, at %s"
        .formatted(
            finding.accepted().isPresent() ? "accepted " : "",
            finding.severity().name().toLowerCase(Locale.ROOT),
            finding.kindInWords(),
            counted(finding.count(), "time"),
            finding.stack().isEmpty() ? "an unknown place" : finding.place());
  }

  private static List<String> inFull(Finding finding) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "%s %s  %s%s"
            .formatted(
                finding.severity(),
                finding.kindInWords(),
                finding.title(),
                finding.injection().isPresent() && finding.count() > 1
                    ? "  (at " + finding.count() + " failure points)"
                    : ""));
    finding.injection().ifPresent(injection -> addInjection(injection, lines));
    addFurtherStates(finding, lines);
    for (TraceEvidence pattern : finding.patterns()) {
      if (!pattern.seen().equals(finding.title())) {
        lines.add("  the trace shows: " + pattern.seen());
      }
      addPattern(pattern, lines);
    }
    lines.add("  fingerprint: " + finding.fingerprint());
    finding.injection().ifPresent(injection -> lines.add("  replay: " + injection.replay()));
    return lines;
  }

  private static void addInjection(InjectionEvidence injection, List<String> lines) {
    injection.state().ifPresent(state -> addState(state, lines));
    lines.add("  power cut in front of " + injection.instruction() + ":");
    lines.addAll(frames(injection.stack()));
    injection
        .second()
        .ifPresent(
            second -> {
              lines.add(
                  "  power cut again, in step %s of recovery, in front of %s:"
                      .formatted(second.step(), second.instruction()));
              lines.addAll(frames(second.stack()));
            });
    if (!injection.recoveryStack().isEmpty()) {
      lines.add("  recovery crashed:");
      lines.addAll(frames(injection.recoveryStack()));
    }
    injection.acknowledged().ifPresent(told -> lines.add("  acknowledged: " + told.inWords()));
    List<String> output = injection.output().lines().filter(line -> !line.isBlank()).toList();
    output.subList(Math.max(0, output.size() - OUTPUT_LINES_SHOWN), output.size()).stream()
        .map(line -> "  recovery said: " + line)
        .forEach(lines::add);
  }

  /** States that show what program order shows as well. */
  private static void addFurtherStates(Finding finding, List<String> lines) {
    List<InjectionEvidence> further =
        finding.evidence().stream()
            .skip(1)
            .filter(InjectionEvidence.class::isInstance)
            .map(InjectionEvidence.class::cast)
            .filter(evidence -> evidence.state().isPresent())
            .toList();
    for (InjectionEvidence one : further.subList(0, Math.min(STATES_SHOWN, further.size()))) {
      lines.add("  crash states show it, too: " + one.state().orElseThrow().remedy());
      lines.add("    replay: " + one.replay());
    }
    if (further.size() > STATES_SHOWN) {
      lines.add("    and %d more".formatted(further.size() - STATES_SHOWN));
    }
  }

  private static void addState(JudgedState state, List<String> lines) {
    JudgedState.Shown shown = state.shown();
    for (JudgedState.Store store : shown.lost()) {
      lines.add("  lost (%s):".formatted(where(store)));
      lines.addAll(frames(store.store().stack()));
    }
    for (JudgedState.Store store : shown.arrived()) {
      lines.add("  persisted before it (%s):".formatted(where(store)));
      lines.addAll(frames(store.store().stack()));
    }
    if (shown.more() > 0) {
      lines.add("  and %s more".formatted(counted(shown.more(), "store")));
    }
    if (!state.smallest()) {
      lines.add("  the search was cut short: some of these may have nothing to do with it");
    }
  }

  private static String where(JudgedState.Store store) {
    ImageStore one = store.store();
    return "%d bytes at 0x%x of %s".formatted(one.size(), one.offset(), one.file());
  }

  private static void addPattern(TraceEvidence pattern, List<String> lines) {
    for (TraceEvidence.Place place : pattern.places()) {
      lines.add("  %s (%s):".formatted(place.role(), place.instruction()));
      lines.addAll(frames(place.stack()));
    }
  }

  private static List<String> frames(List<StackFrame> stack) {
    List<String> lines = new ArrayList<>();
    stack.stream().limit(FRAMES_SHOWN).forEach(frame -> lines.add("    " + frame.text()));
    if (stack.size() > FRAMES_SHOWN) {
      lines.add("    and %d more".formatted(stack.size() - FRAMES_SHOWN));
    }
    return lines;
  }
}
