// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.findings.ReportedRun;
import java.io.IOException;
import java.io.Writer;

/**
 * A form in which the result of a run is written to its directory, such as JSON. A form only reads
 * what it is given: all forms tell the same. The class {@code ReportForms} lists them.
 */
public interface ReportForm {
  /** The name of its file in the run directory. */
  String fileName();

  /**
   * Writes the form.
   *
   * @param run what to tell
   * @param out where to, in UTF-8; not to be closed. It becomes the file only when this method
   *     returns
   * @throws IOException if that fails
   */
  void write(ReportedRun run, Writer out) throws IOException;
}
