// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.exit.PowercutException;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.WholeFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How strong an oracle is, for a browser: the score of each function, the sources with what became
 * of the mutants at their lines, and the mutants that were not killed.
 *
 * @param campaign its name
 * @param score of all functions, in percent
 * @param scores of each function, the lowest first
 * @param mutants in the order in which they are shown
 * @param facts the totals, in lines
 */
public record StrengthPage(
    String campaign, int score, List<Score> scores, List<Mutant> mutants, List<String> facts) {
  /** Copies the lists. */
  public StrengthPage {
    scores = List.copyOf(scores);
    mutants = List.copyOf(mutants);
    facts = List.copyOf(facts);
  }

  /** What became of a mutant; the first one is what to look at first. */
  public enum Outcome {
    /** Recovery accepted what it made possible. */
    SURVIVED("bug"),
    /** Recovery reads nothing of what it persists. */
    UNREAD("performance"),
    /** It matters where the campaign does not look. */
    NO_COVERAGE("performance"),
    /** Nothing can be said. */
    NOT_JUDGED("inconclusive"),
    /** It changed nothing. */
    EQUIVALENT("warning"),
    /** Recovery failed. */
    KILLED("consistent");

    private final String style;

    Outcome(String style) {
      this.style = style;
    }

    /** The name of its colour. */
    String style() {
      return style;
    }

    /** In words. */
    String words() {
      return Page.words(name());
    }
  }

  /**
   * Of the mutants in a function.
   *
   * @param function its name
   * @param mutants how many were judged
   * @param killed how many of them recovery failed on
   * @param percent the same in percent
   * @param survived how many it accepted
   * @param unread how many persist only what it does not read
   * @param noCoverage how many matter only where the campaign does not look
   */
  public record Score(
      String function,
      int mutants,
      int killed,
      int percent,
      int survived,
      int unread,
      int noCoverage) {}

  /**
   * A flush or fence that was taken away.
   *
   * @param outcome what became of it
   * @param anchor in the page; unique
   * @param instruction what was taken away
   * @param function it belongs to
   * @param why it was not killed, in words; of a killed one how
   * @param stack its call stack, innermost first
   */
  public record Mutant(
      Outcome outcome,
      String anchor,
      String instruction,
      String function,
      String why,
      List<StackFrame> stack) {
    /** Copies the list. */
    public Mutant {
      stack = List.copyOf(stack);
    }
  }

  /** Those that were not killed. */
  List<Mutant> survivors() {
    return mutants.stream().filter(mutant -> mutant.outcome() != Outcome.KILLED).toList();
  }

  /**
   * Writes the page, so that a reader sees the old one or the whole new one.
   *
   * @param began when the target ran; files changed later are marked
   * @throws PowercutException if it cannot be written
   */
  public void write(Path file, Instant began) {
    List<AnnotatedSource> sources = AnnotatedSource.ofMutants(mutants, SourceFiles.asOf(began));
    WholeFile.write(
        file,
        out ->
            HtmlTemplate.render(
                "html/strength.jte",
                Map.of("page", this, "sources", sources, "style", Inline.read("report.css")),
                out));
  }
}
