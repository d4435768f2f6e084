// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

import io.powercut.report.ReportForm;
import io.powercut.report.findings.ReportedRun;
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
