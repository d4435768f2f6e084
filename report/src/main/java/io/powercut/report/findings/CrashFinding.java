// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.mistakes.Crash;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a finding of crashes that show one mistake. */
final class CrashFinding {
  /**
   * So many in program order, so many of states, and of crashes during recovery are given in full.
   */
  private static final int IN_FULL = 6;

  private CrashFinding() {}

  /** Crashes that are alike: one of them is given in full. */
  private record Likeness(
      String type, String fingerprint, String verdict, boolean daxOnly, List<String> functions) {
    static Likeness of(Crash crash) {
      return new Likeness(
          type(crash.evidence()),
          crash.fingerprint(),
          crash.evidence().verdict().name(),
          crash.isOnDaxOnly(),
          crash.evidence().place().stream().map(StackFrame::function).toList());
    }

    private static String type(InjectionEvidence evidence) {
      if (evidence.recoveryCrash().isPresent()) {
        return "recovery crash";
      }
      return evidence.isOfProgramOrder() ? "program order" : "state";
    }
  }

  /**
   * A finding that is called after the first crash.
   *
   * @param crashes not empty
   * @param again where they were seen beside that
   */
  static Finding of(List<Crash> crashes, List<Proof> again) {
    Crash first = crashes.get(0);
    List<Proof> proofs = proofs(crashes, again);
    return new Finding(
        first.evidence().verdict().name(),
        Severity.BUG,
        false,
        first.fingerprint(),
        former(crashes),
        crashes.stream().allMatch(Crash::isOnDaxOnly),
        failurePoints(proofs),
        first.evidence().title(),
        first.evidence().place(),
        evidence(crashes),
        proofs,
        Optional.empty(),
        Optional.empty());
  }

  /** The end of the run, where power is cut too, is none of them. */
  private static long failurePoints(List<Proof> proofs) {
    long count =
        proofs.stream()
            .map(Proof::failurePointId)
            .filter(id -> !id.equals(Occurrence.END.id()))
            .distinct()
            .count();
    return Math.max(1, count);
  }

  private static List<String> former(List<Crash> crashes) {
    return crashes.stream()
        .flatMap(crash -> crash.former().stream())
        .filter(name -> !name.equals(crashes.get(0).fingerprint()))
        .distinct()
        .toList();
  }

  private static List<Proof> proofs(List<Crash> crashes, List<Proof> again) {
    return Stream.concat(crashes.stream().map(Crash::proof), again.stream())
        .distinct() // An occurrence may have been judged twice.
        .toList();
  }

  private static List<Evidence> evidence(List<Crash> crashes) {
    Map<Likeness, List<Crash>> alike = new LinkedHashMap<>();
    crashes.forEach(
        crash ->
            alike.computeIfAbsent(Likeness.of(crash), unknown -> new ArrayList<>()).add(crash));
    Map<String, Integer> told = new LinkedHashMap<>();
    List<Evidence> evidence = new ArrayList<>();
    alike.forEach(
        (likeness, those) -> {
          if (told.merge(likeness.type(), 1, Integer::sum) <= IN_FULL) {
            evidence.add(those.get(0).evidence().standingFor(those.size()));
          }
        });
    return evidence;
  }
}
