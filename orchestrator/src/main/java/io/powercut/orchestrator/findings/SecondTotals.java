package io.powercut.orchestrator.findings;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.evidence.Judgement;
import io.powercut.orchestrator.rundir.SecondVerdicts;
import java.util.List;

/** Adds up what became of second crashes. */
final class SecondTotals {
  private SecondTotals() {}

  /**
   * The totals of a run.
   *
   * @param judgements on images of program order; recovery is cut on consistent ones
   * @param most on how many different ones
   */
  static Report.SecondCrashes of(List<SecondVerdicts> all, List<Judgement> judgements, int most) {
    long images =
        judgements.stream()
            .filter(judgement -> judgement.kind() == Verdict.Kind.CONSISTENT)
            .flatMap(judgement -> judgement.imageHash().stream())
            .distinct()
            .count();
    long settled = all.stream().filter(SecondVerdicts::isSettled).count();
    return new Report.SecondCrashes(
        all.size(),
        all.stream().flatMap(one -> one.cuts().keySet().stream()).distinct().count(),
        all.stream().mapToLong(one -> one.cuts().size()).sum(),
        all.stream().mapToLong(SecondVerdicts::recoveries).sum(),
        all.stream().mapToLong(SecondVerdicts::failing).sum(),
        Math.max(0, Math.min(most, images) - settled));
  }
}
