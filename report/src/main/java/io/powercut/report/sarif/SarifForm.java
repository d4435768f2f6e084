// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import io.powercut.process.Version;
import io.powercut.report.ReportForm;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.Writer;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * {@code report.sarif}: SARIF 2.1.0, which code hosts show beside the changed lines and editors as
 * problems. Accepted findings are suppressed; a finding keeps its fingerprint when lines move.
 */
public final class SarifForm implements ReportForm {
  /** The method (Mumak, EuroSys 2023). */
  private static final String METHOD = "https://doi.org/10.1145/3552326.3587447";

  private static final String NAME = "Powercut";

  @Override
  public String fileName() {
    return "report.sarif";
  }

  @Override
  public void write(ReportedRun run, Writer out) throws IOException {
    Json.write(new Sarif.Log(Sarif.SCHEMA, Sarif.VERSION, List.of(sarifRun(run.report()))), out);
  }

  private static Sarif.Run sarifRun(Report report) {
    SourceRoot root = SourceRoot.of(report.campaign().file());
    return run(
        // The slash makes the campaign a category: those of one commit do not replace each other.
        "powercut/" + report.campaign().name() + "/",
        List.of(invocation(report)),
        root.location().map(location -> Map.of(SourceRoot.ID, location)).orElse(Map.of()),
        rules -> {
          SarifResult results = new SarifResult(root, rules);
          return report.findings().stream()
              .filter(finding -> !finding.isQuiet())
              .map(results::of)
              .toList();
        });
  }

  /** A run of this version of Powercut. */
  static Sarif.Run run(
      String category,
      List<Sarif.Invocation> invocations,
      Map<String, Sarif.ArtifactLocation> bases,
      Function<SarifRules, List<Sarif.Result>> results) {
    SarifRules rules = new SarifRules();
    return new Sarif.Run(
        new Sarif.Tool(new Sarif.ToolComponent(NAME, Version.current(), METHOD, rules.all())),
        new Sarif.AutomationDetails(category),
        invocations,
        bases,
        "utf16CodeUnits",
        results.apply(rules));
  }

  private static Sarif.Invocation invocation(Report report) {
    return new Sarif.Invocation(
        true,
        report.outcome().exitCode(),
        report.outcome().meaning(),
        OffsetDateTime.parse(report.campaign().started()).toInstant().toString(),
        report.inconclusive().entrySet().stream()
            .map(
                entry ->
                    new Sarif.Notification(
                        "warning",
                        new Sarif.Message(
                            "%d failure points were not judged: %s"
                                .formatted(entry.getValue(), entry.getKey()))))
            .toList());
  }
}
