// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import java.util.List;

/** Adds up the outcome of crashes during recovery. */
final class RecoveryCrashTotals {
  private RecoveryCrashTotals() {}

  /**
   * The totals of a run.
   *
   * @param judgements on program-order images; recovery is cut on consistent ones
   * @param most on how many different ones
   */
  static Report.RecoveryCrashes of(
      List<RecoveryCrashVerdicts> all, List<Judgement> judgements, int most) {
    long images =
        judgements.stream()
            .filter(judgement -> judgement.kind() == Verdict.Kind.CONSISTENT)
            .flatMap(judgement -> judgement.imageHash().stream())
            .distinct()
            .count();
    long settled = all.stream().filter(RecoveryCrashVerdicts::isSettled).count();
    return new Report.RecoveryCrashes(
        all.size(),
        all.stream()
            .flatMap(one -> one.cuts().keySet().stream())
            .map(cut -> CutPlace.parse(cut).id())
            .distinct()
            .count(),
        all.stream().mapToLong(one -> one.cuts().size()).sum(),
        all.stream().flatMap(one -> one.states().values().stream()).mapToLong(n -> n).sum(),
        all.stream().mapToLong(RecoveryCrashVerdicts::recoveries).sum(),
        all.stream().mapToLong(RecoveryCrashVerdicts::failing).sum(),
        Math.max(0, Math.min(most, images) - settled),
        Math.max(0, images - Math.max(most, all.size())));
  }
}
