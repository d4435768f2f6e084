package io.powercut.orchestrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Something found, whatever found it. Equal findings (same {@code fingerprint}) are one finding
 * with a count, and what several analyses see at one place is one finding with several pieces of
 * evidence.
 *
 * @param kind what it is: a verdict's kind such as {@code UNRECOVERABLE}, or a pattern's such as
 *     {@code REDUNDANT_FLUSH}
 * @param severity how much it claims
 * @param fails whether it makes the run end with exit code 1: by its severity and kind, and because
 *     it is not accepted
 * @param fingerprint the same for the same bug after a rebuild: made of function names and kind
 * @param count how often it was seen, at least 1: failure points, or instructions of a pattern
 * @param title what was seen, in one line
 * @param stack the target's call stack where to look first, innermost first
 * @param evidence what was seen, the strongest first; never empty
 * @param accepted why it is lived with, when it is
 */
public record Finding(
    String kind,
    Severity severity,
    boolean fails,
    String fingerprint,
    long count,
    String title,
    List<StackFrame> stack,
    List<Evidence> evidence,
    Optional<Acceptance> accepted) {
  /** Copies the lists. */
  public Finding {
    stack = List.copyOf(stack);
    evidence = List.copyOf(evidence);
  }

  /** The crash that shows it, when there is one. */
  @JsonIgnore
  public Optional<InjectionEvidence> injection() {
    return evidence.stream()
        .filter(InjectionEvidence.class::isInstance)
        .map(InjectionEvidence.class::cast)
        .findFirst();
  }

  /** The patterns in the trace that are part of it. */
  @JsonIgnore
  public List<TraceEvidence> patterns() {
    return evidence.stream()
        .filter(TraceEvidence.class::isInstance)
        .map(TraceEvidence.class::cast)
        .toList();
  }

  /**
   * Where it is, in a line: the innermost frame, and for one of a library the one of the program
   * that called it. Empty when no stack is known.
   */
  @JsonIgnore
  public String place() {
    if (stack.isEmpty()) {
      return "";
    }
    StackFrame innermost = stack.get(0);
    String program = stack.get(stack.size() - 1).module();
    return stack.stream()
        .filter(frame -> frame.module().equals(program))
        .findFirst()
        .filter(own -> !own.equals(innermost))
        .map(own -> innermost.text() + ", from " + own.text())
        .orElseGet(innermost::text);
  }

  /** The kind in words: {@code redundant flush}. */
  @JsonIgnore
  public String kindInWords() {
    return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
