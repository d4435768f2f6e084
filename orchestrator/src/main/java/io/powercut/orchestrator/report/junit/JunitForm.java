package io.powercut.orchestrator.report.junit;

import io.powercut.orchestrator.findings.ReportedRun;
import io.powercut.orchestrator.report.ReportForm;
import java.io.IOException;
import java.io.Writer;

/**
 * {@code junit.xml}: the run as a suite of tests in the format of Maven's Surefire, which
 * continuous integration shows.
 */
public final class JunitForm implements ReportForm {
  @Override
  public String fileName() {
    return "junit.xml";
  }

  @Override
  public void write(ReportedRun run, Writer out) throws IOException {
    JunitWriter.write(TestCases.of(run), run.report(), out);
  }
}
