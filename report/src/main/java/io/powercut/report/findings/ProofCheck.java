// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.google.common.collect.Sets;
import io.powercut.exit.PowercutException;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * That findings hold exactly what was proved: every bug in the logs of a run, and nothing else.
 * Always made, for a bug that gets lost on the way into the report is worse than one that was not
 * looked for.
 */
final class ProofCheck {
  private ProofCheck() {}

  /** A crash in a log. */
  private record Crash(
      FailurePointId failurePointId,
      long occurrence,
      Optional<String> state,
      Optional<FailurePointId> second) {
    static Crash of(Judgement judgement, Optional<RecoveryCrash> cut) {
      return new Crash(
          judgement.failurePointId(),
          judgement.occurrence(),
          judgement.stateId(),
          cut.map(RecoveryCrash::failurePointId));
    }

    static Crash of(Proof proof) {
      return new Crash(
          proof.failurePointId(), proof.occurrence(), proof.state(), proof.recoveryCrash());
    }

    @Override
    public String toString() {
      return "failure point "
          + failurePointId
          + ", occurrence "
          + occurrence
          + state.map(id -> ", state " + id).orElse("")
          + second.map(id -> ", crash during recovery " + id).orElse("");
    }
  }

  /**
   * Compares findings with the logs.
   *
   * @throws PowercutException if they differ, naming the first difference
   */
  static void require(
      List<Finding> findings,
      List<Judgement> programOrder,
      List<StateVerdicts> states,
      List<RecoveryCrashVerdicts> second) {
    Set<Crash> proved = new HashSet<>();
    Set<String> names = new HashSet<>();
    programOrder.stream()
        .filter(Judgement::isBug)
        .forEach(judgement -> proved.add(Crash.of(judgement, Optional.empty())));
    for (StateVerdicts line : states) {
      names.addAll(line.again());
      for (Judgement judgement : line.findings()) {
        proved.add(Crash.of(judgement, Optional.empty()));
        names.add(judgement.stateFingerprint().orElseThrow());
      }
    }
    for (RecoveryCrashVerdicts line : second) {
      names.addAll(line.again());
      for (RecoveryCrashFinding finding : line.findings()) {
        proved.add(Crash.of(finding.judgement(), Optional.of(finding.cut())));
        names.add(finding.fingerprint());
      }
    }
    Set<Crash> reported = new HashSet<>();
    Set<String> reportedNames = new HashSet<>();
    for (Finding finding : findings) {
      for (Proof proof : finding.proofs()) {
        reportedNames.add(proof.fingerprint());
        if (!proof.verdict().isEmpty()) {
          reported.add(Crash.of(proof));
        }
      }
    }
    requireNone(Sets.difference(proved, reported), "was proved but is missing from the findings");
    requireNone(Sets.difference(reported, proved), "is in a finding but was not proved");
    requireNone(Sets.difference(names, reportedNames), "was seen but is missing from the findings");
  }

  private static void requireNone(Set<?> difference, String what) {
    if (!difference.isEmpty()) {
      throw PowercutException.notTrustworthy(
          "a bug in Powercut: %s %s%s. The logs in the run directory have the details; please report this."
              .formatted(
                  difference.iterator().next(),
                  what,
                  difference.size() == 1
                      ? ""
                      : ", and so are " + (difference.size() - 1) + " more"));
    }
  }
}
