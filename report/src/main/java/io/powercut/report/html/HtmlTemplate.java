// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.WriterOutput;
import java.io.Writer;
import java.util.Map;

/**
 * Fills a template of {@code src/main/jte}, which the build has made a class of. Whatever is filled
 * in is escaped, and has characters that cannot be seen made visible.
 */
public final class HtmlTemplate {
  private static final String PACKAGE = "io.powercut.report";

  private HtmlTemplate() {}

  /**
   * Writes a page.
   *
   * @param template its path below {@code src/main/jte}
   * @param parameters by the names that the template gives them
   */
  public static void render(String template, Map<String, Object> parameters, Writer out) {
    TemplateEngine.createPrecompiled(
            null, ContentType.Html, HtmlTemplate.class.getClassLoader(), PACKAGE)
        .render(template, parameters, new WriterOutput(new CleanWriter(out)));
  }
}
