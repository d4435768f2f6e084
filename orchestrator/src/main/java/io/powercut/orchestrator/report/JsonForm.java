package io.powercut.orchestrator.report;

import io.powercut.orchestrator.findings.Report;
import io.powercut.orchestrator.findings.ReportedRun;
import io.powercut.orchestrator.format.Json;
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
