// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import io.powercut.exit.PowercutException;
import io.powercut.report.history.FindingText;
import io.powercut.report.history.Timeline;
import io.powercut.report.html.HtmlTemplate;
import io.powercut.report.html.Inline;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All campaigns with their trends and findings, in one file that needs no network.
 *
 * @param written when, in words
 * @param campaigns in the order of their names
 */
public record HistoryPage(String written, List<CampaignView> campaigns) {
  /** The file's name in the folder of all runs. */
  public static final String DEFAULT_NAME = "index.html";

  /** Copies the list. */
  public HistoryPage {
    campaigns = List.copyOf(campaigns);
  }

  /**
   * Writes the page, so that a reader sees the old one or the whole new one.
   *
   * @param file where; links to reports are relative to it
   * @throws PowercutException if it cannot be written
   */
  public static void write(Path file, List<Timeline> timelines) {
    Path target = file.toAbsolutePath().normalize();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    Links links = new Links(folder);
    HistoryPage page =
        new HistoryPage(
            FindingText.time(Instant.now()),
            timelines.stream().map(timeline -> CampaignView.of(timeline, links)).toList());
    Inline style =
        new Inline(Inline.style().text() + Inline.read(HistoryPage.class, "history.css").text());
    try {
      Path fresh = Files.createTempFile(folder, ".index-", ".html");
      try {
        // A writer that fails when it is closed leaves its stream open.
        try (OutputStream stream = Files.newOutputStream(fresh);
            Writer out =
                new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8))) {
          HtmlTemplate.render(
              "history/html/history.jte", Map.of("page", page, "style", style), out);
        }
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(
            fresh, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      throw PowercutException.notTrustworthy("cannot write " + target + ": " + e);
    }
  }
}
