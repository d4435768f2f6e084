package io.powercut.orchestrator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as text for a person, at most some screens long. */
public final class Summary {
  private static final int FINDINGS_SHOWN = 20;
  private static final int FRAMES_SHOWN = 12;
  private static final int OUTPUT_LINES_SHOWN = 4;

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
        "failure points  %d unique, reached %d times, %d injected"
            .formatted(
                report.failurePoints().unique(),
                report.failurePoints().reached(),
                report.failurePoints().injected()));
    if (report.failurePoints().unique() == 0) {
      lines.add(
          "  nothing was tested: the target reached no flush, fence or msync after a store to PM");
    }
    lines.add("verdicts        " + verdicts(report.verdicts()));
    report
        .inconclusive()
        .forEach((reason, count) -> lines.add("  not judged    %d: %s".formatted(count, reason)));
    report.findings().stream()
        .limit(FINDINGS_SHOWN)
        .forEach(finding -> lines.addAll(finding(finding)));
    if (report.findings().size() > FINDINGS_SHOWN) {
      lines.add("");
      lines.add("and %d more findings".formatted(report.findings().size() - FINDINGS_SHOWN));
    }
    if (!report.findings().isEmpty()) {
      lines.add("");
    }
    lines.add("result          " + report.outcome().meaning());
    lines.add(String.format(Locale.ROOT, "time            %.1f s", report.timings().get("total")));
    lines.add("report          " + reportFile);
    return lines;
  }

  private static String verdicts(Map<String, Long> verdicts) {
    List<String> parts = new ArrayList<>();
    verdicts.forEach((kind, count) -> parts.add(count + " " + kind.toLowerCase(Locale.ROOT)));
    return String.join(", ", parts);
  }

  private static List<String> finding(Finding finding) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "%s %s  %s%s"
            .formatted(
                finding.severity(),
                finding.kind().toLowerCase(Locale.ROOT),
                finding.seen(),
                finding.count() > 1 ? "  (at " + finding.count() + " failure points)" : ""));
    lines.add("  power cut in front of " + finding.instruction() + ":");
    lines.addAll(frames(finding.stack()));
    if (!finding.recoveryStack().isEmpty()) {
      lines.add("  recovery crashed:");
      lines.addAll(frames(finding.recoveryStack()));
    }
    List<String> output = finding.recovery().lines().filter(line -> !line.isBlank()).toList();
    output.subList(Math.max(0, output.size() - OUTPUT_LINES_SHOWN), output.size()).stream()
        .map(line -> "  recovery said: " + line)
        .forEach(lines::add);
    lines.add("  replay: " + finding.replay());
    return lines;
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
