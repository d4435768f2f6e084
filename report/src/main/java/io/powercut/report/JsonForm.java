// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.Writer;

/** {@code report.json}: the {@link Report} for programs. */
public final class JsonForm implements ReportForm {
  @Override
  public String fileName() {
    return "report.json";
  }

  @Override
  public void write(ReportedRun run, Writer out) throws IOException {
    Json.write(run.report(), out);
  }
}
