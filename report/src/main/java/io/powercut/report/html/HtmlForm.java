// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.ReportForm;
import io.powercut.report.findings.ReportedRun;
import java.io.Writer;
import java.util.Map;

/**
 * {@code report.html}: the whole result for a person, in one file that needs no network.
 *
 * <p>It is made from the templates in {@code src/main/jte/report/html}. Whatever comes from a
 * target or its recovery is escaped by them, has characters that cannot be seen made visible, and
 * is kept to a bounded length.
 */
public final class HtmlForm implements ReportForm {
  @Override
  public String fileName() {
    return "report.html";
  }

  @Override
  public void write(ReportedRun run, Writer out) {
    HtmlTemplate.render(
        "html/page.jte",
        Map.of(
            "page",
            Page.of(run),
            "style",
            Inline.read("report.css"),
            "script",
            Inline.read("report.js")),
        out);
  }
}
