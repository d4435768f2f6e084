// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The strength of an oracle in lines for a terminal. */
public final class StrengthSummary {
  /** Of each kind of survivors; the file has all. */
  private static final int SHOWN = 20;

  private static final int FRAMES = 6;

  private final StrengthResult result;
  private final List<String> lines = new ArrayList<>();

  private StrengthSummary(StrengthResult result) {
    this.result = result;
  }

  /** The lines. */
  public static List<String> of(StrengthResult result) {
    StrengthSummary summary = new StrengthSummary(result);
    summary.addSurvivors(Outcome.SURVIVED, "SURVIVED");
    summary.addSurvivors(Outcome.UNREAD, "UNREAD");
    summary.addSurvivors(Outcome.NO_COVERAGE, "NO COVERAGE");
    summary.addSurvivors(Outcome.EQUIVALENT, "EQUIVALENT");
    summary.addSurvivors(Outcome.NOT_JUDGED, "NOT JUDGED");
    summary.addTable();
    summary.addTotals();
    return List.copyOf(summary.lines);
  }

  /** The totals alone. */
  static List<String> totals(StrengthResult result) {
    StrengthSummary summary = new StrengthSummary(result);
    summary.addTotals();
    return summary.lines.stream().map(line -> line.strip().replaceFirst(" {2,}", ": ")).toList();
  }

  private void addSurvivors(Outcome outcome, String title) {
    List<Mutant> survivors = new ArrayList<>(result.with(outcome));
    survivors.sort(Comparator.comparing(Mutant::function));
    survivors.stream().limit(SHOWN).forEach(bug -> addSurvivor(bug, title));
    if (survivors.size() > SHOWN) {
      lines.add(
          "and %d more: %s".formatted(survivors.size() - SHOWN, title.toLowerCase(Locale.ROOT)));
      lines.add("");
    }
  }

  private void addSurvivor(Mutant bug, String title) {
    lines.add(
        "%s  without %s in %s, executed %s, %d of these needed"
            .formatted(
                title, bug.instruction(), bug.function(), times(bug.executed()), bug.needed()));
    lines.add("  " + why(bug));
    bug.stack().stream()
        .limit(FRAMES)
        .map(StackFrame::text)
        .forEach(frame -> lines.add("    " + frame));
    if (bug.stack().size() > FRAMES) {
      lines.add("    and " + Text.counted(bug.stack().size() - FRAMES, "more frame"));
    }
    lines.add("");
  }

  private static String times(long count) {
    return count == 1 ? "once" : count + " times";
  }

  /** Why a mutant was not killed, in words. */
  static String why(Mutant bug) {
    return switch (bug.outcome()) {
      case KILLED -> "";
      case NO_COVERAGE ->
          "it matters only at later occurrences of failure points, which 'occurrences' leaves out";
      case EQUIVALENT ->
          "it matters at no failure point: what it persists is persisted otherwise by then, or was there before";
      case SURVIVED ->
          "%s at %s of failure points, and recovery accepts all%s"
              .formatted(
                  Text.counted(bug.states(), "state"),
                  Text.counted(bug.occurrences(), "occurrence"),
                  bug.spoilt() == 0
                      ? ""
                      : "; %d more fail without the change as well".formatted(bug.spoilt()));
      case UNREAD ->
          "recovery reads nothing of what it persists, at %s of failure points"
              .formatted(Text.counted(bug.occurrences(), "occurrence"));
      case NOT_JUDGED -> notJudged(bug);
    };
  }

  private static String notJudged(Mutant bug) {
    if (bug.inconclusive() > 0) {
      return Text.counted(bug.inconclusive(), "state") + " could not be judged";
    }
    return bug.spoilt() > 0
        ? "recovery fails at %s, but without the change as well"
            .formatted(Text.counted(bug.spoilt(), "state"))
        : "there was no time left";
  }

  private void addTable() {
    int width =
        result.functions().stream().mapToInt(one -> one.function().length()).max().orElse(0);
    String format = "%-" + Math.max(width, 8) + "s  %7s  %7s  %6s  %9s  %7s  %12s";
    lines.add(
        format.formatted(
            "function", "mutants", "killed", "score", "survived", "unread", "no coverage"));
    result.functions().forEach(score -> addScore(format, score));
    addScore(format, result.all());
    lines.add("");
  }

  private void addScore(String format, FunctionScore score) {
    lines.add(
        format.formatted(
            score.function(),
            score.mutants(),
            score.killed(),
            score.percent() + " %",
            score.survived(),
            score.unread(),
            score.noCoverage()));
  }

  private void addTotals() {
    int notJudged = result.with(Outcome.NOT_JUDGED).size();
    int equal = result.with(Outcome.EQUIVALENT).size();
    add(
        "mutants",
        result.bugs().size() - equal + " missing flushes, fences and syncs, one at a time");
    if (notJudged > 0) {
      add("", notJudged + " of them not judged");
    }
    if (result.notTried() > 0) {
      add("", result.notTried() + " more were not asked for");
    }
    add(
        "no mutants",
        "%d that never had anything to do, %d that make no difference, %d in excluded functions"
            .formatted(result.redundant().size(), equal, result.excluded()));
    add(
        "judged",
        "%d different images, at %d failure points"
            .formatted(result.images(), result.failurePoints()));
    add("time", result.seconds() + " s");
  }

  private void add(String title, String text) {
    lines.add("%-13s%s".formatted(title, text));
  }
}
