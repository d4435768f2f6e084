// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The bugs of a report beside the mistakes of a composite program: exactly one finding for each, at
 * its line and of its kind.
 *
 * @param truth the mistakes that are in the program
 * @param bugs what the report calls bugs
 */
record CompositeComparison(CompositeTruth truth, List<Finding> bugs) {
  static CompositeComparison of(CompositeTruth truth, List<Finding> findings) {
    return new CompositeComparison(
        truth, findings.stream().filter(one -> one.severity() == Severity.BUG).toList());
  }

  /** Where a finding says the mistake is, and what it says is missing. */
  private record Blame(List<String> marks, String kind, String verdict) {
    boolean isOf(CompositeTruth.Mistake mistake) {
      return isAt(mistake)
          && kind.equals(mistake.kind())
          && verdict.equals(mistake.expectedVerdict());
    }

    boolean isAt(CompositeTruth.Mistake mistake) {
      return marks.stream().anyMatch(mistake.at()::contains);
    }

    @Override
    public String toString() {
      return kind + " at " + String.join(", ", marks) + ", " + verdict;
    }
  }

  private Blame blame(Finding finding) {
    return finding
        .injection()
        .map(this::blame)
        .orElseGet(
            () ->
                new Blame(
                    List.of(truth.innermost(finding.stack())),
                    finding.kindInWords(),
                    "no recovery asked"));
  }

  private Blame blame(InjectionEvidence evidence) {
    return evidence
        .state()
        .map(state -> blame(state, evidence.verdict().name()))
        .orElseGet(
            () ->
                new Blame(
                    marksOrPlace(evidence.stack()),
                    CompositeTruth.PROGRAM_ORDER,
                    evidence.verdict().name()));
  }

  private Blame blame(JudgedState state, String verdict) {
    JudgedState.Store first = state.lost().get(0);
    return new Blame(
        List.of(truth.innermost(first.store().stack())), first.missing().toString(), verdict);
  }

  private List<String> marksOrPlace(List<StackFrame> stack) {
    List<String> marks = truth.marks(stack);
    return marks.isEmpty() ? List.of(truth.innermost(stack)) : marks;
  }

  /** The findings of this mistake: at its line and of its kind. */
  List<Finding> findingsOf(CompositeTruth.Mistake mistake) {
    return bugs.stream().filter(finding -> blame(finding).isOf(mistake)).toList();
  }

  /** What is wrong with the report, one line each; none if nothing is. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (CompositeTruth.Mistake mistake : truth.mistakes()) {
      List<Finding> findings = findingsOf(mistake);
      if (findings.isEmpty()) {
        problems.add("missing  " + expected(mistake) + seenElsewhere(mistake));
      } else if (findings.size() > 1) {
        problems.add("doubled  " + expected(mistake) + ": " + fingerprints(findings));
      } else if (!callersUnseen(mistake, findings.get(0)).isEmpty()) {
        problems.add(
            "callers  %s: not in the evidence: %s"
                .formatted(expected(mistake), callersUnseen(mistake, findings.get(0))));
      }
    }
    for (Finding finding : bugs) {
      if (truth.mistakes().stream().noneMatch(blame(finding)::isOf)) {
        problems.add("extra    " + finding.fingerprint() + " " + blame(finding) + said(finding));
      }
    }
    return problems;
  }

  /** All mistakes with what was found, and the problems, to be read. */
  String table() {
    StringBuilder table = new StringBuilder(truth.program()).append('\n');
    for (CompositeTruth.Mistake mistake : truth.mistakes()) {
      table.append(
          "%-9s %s%n"
              .formatted(
                  findingsOf(mistake).size() == 1 ? "found" : findingsOf(mistake).size() + " times",
                  expected(mistake)));
    }
    problems().forEach(problem -> table.append(problem).append('\n'));
    return table.toString();
  }

  private static String expected(CompositeTruth.Mistake mistake) {
    return "%2d %s at %s, %s (%s)"
        .formatted(
            mistake.id(),
            mistake.kind(),
            String.join(" or ", mistake.at()),
            mistake.expectedVerdict(),
            mistake.function());
  }

  private static String fingerprints(List<Finding> findings) {
    return findings.stream().map(Finding::fingerprint).collect(Collectors.joining(" "));
  }

  /** Which findings have a proof of it all the same, or stand at its line with another kind. */
  private String seenElsewhere(CompositeTruth.Mistake mistake) {
    Set<String> seen = new HashSet<>();
    for (Finding finding : bugs) {
      if (blame(finding).isAt(mistake)) {
        seen.add(finding.fingerprint() + " (" + blame(finding).kind() + ")");
      } else if (crashes(finding).stream().anyMatch(crash -> blame(crash).isAt(mistake))) {
        seen.add(finding.fingerprint() + " (in its evidence)");
      }
    }
    return seen.isEmpty() ? "; nowhere" : "; see " + String.join(", ", seen);
  }

  /** Callers that no evidence of the finding has on a stack. */
  private Set<String> callersUnseen(CompositeTruth.Mistake mistake, Finding finding) {
    Set<String> callers = new HashSet<>(mistake.callers().orElse(List.of()));
    crashes(finding).stream()
        .flatMap(crash -> crash.state().stream())
        .flatMap(state -> state.lost().stream())
        .forEach(lost -> truth.marks(lost.store().stack()).forEach(callers::remove));
    return callers;
  }

  private static List<InjectionEvidence> crashes(Finding finding) {
    return finding.evidence().stream()
        .filter(InjectionEvidence.class::isInstance)
        .map(InjectionEvidence.class::cast)
        .toList();
  }

  private static String said(Finding finding) {
    return finding
        .injection()
        .map(crash -> "; recovery said: " + crash.output().strip().replace("\n", " / "))
        .orElse("");
  }
}
