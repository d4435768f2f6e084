// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * {@code report.json}: the {@link Report} for programs. {@code patterns.json} has all patterns of a
 * finding that has more of them than this.
 */
public final class JsonForm implements ReportForm {
  /** Patterns of one finding. */
  static final int MOST_PATTERNS = 5;

  @Override
  public String fileName() {
    return "report.json";
  }

  @Override
  public void write(ReportedRun run, Writer out) throws IOException {
    List<Finding> findings =
        run.report().findings().stream()
            .map(finding -> finding.withPatterns(MOST_PATTERNS))
            .toList();
    Json.write(run.report().with(findings), out);
  }
}
