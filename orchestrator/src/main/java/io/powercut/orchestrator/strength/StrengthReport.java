// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.report.html.StrengthPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The strength of an oracle as a page for a browser. */
public final class StrengthReport {
  private StrengthReport() {}

  /** The page. */
  public static StrengthPage of(StrengthResult result) {
    List<StrengthPage.Mutant> mutants = new ArrayList<>();
    for (Mutant mutant : result.bugs()) {
      mutants.add(
          new StrengthPage.Mutant(
              StrengthPage.Outcome.valueOf(mutant.outcome().name()),
              "mutant-" + (mutants.size() + 1),
              mutant.instruction(),
              mutant.function(),
              why(mutant),
              mutant.stack()));
    }
    mutants.sort(
        Comparator.comparing(StrengthPage.Mutant::outcome)
            .thenComparing(StrengthPage.Mutant::function));
    return new StrengthPage(
        result.campaign(),
        result.all().percent(),
        result.functions().stream().map(StrengthReport::score).toList(),
        mutants,
        StrengthSummary.totals(result));
  }

  private static StrengthPage.Score score(FunctionScore score) {
    return new StrengthPage.Score(
        score.function(),
        score.mutants(),
        score.killed(),
        score.percent(),
        score.survived(),
        score.unread(),
        score.noCoverage());
  }

  private static String why(Mutant mutant) {
    return mutant.killed().map(Mutant.Catch::seen).orElseGet(() -> StrengthSummary.why(mutant));
  }
}
