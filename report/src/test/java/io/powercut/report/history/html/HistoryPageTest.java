// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.History;
import io.powercut.report.history.Reports;
import io.powercut.report.history.RunRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryPageTest {
  private static final Instant NIGHT = Instant.parse("2026-11-01T02:00:00Z");
  private static final String A = "aaaaaaaaaaaaaaaa";

  @TempDir private Path runs;

  private Path page() {
    return runs.resolve("index.html");
  }

  private Path run(int night) throws IOException {
    return Files.createDirectories(runs.resolve("map").resolve("night " + night + " #%"));
  }

  private String write(History history) throws IOException {
    HistoryPage.write(page(), history);
    return Files.readString(page());
  }

  @Test
  void linksShouldBeRelativeAndOnlyToReportsThatAreThere() throws IOException {
    Files.writeString(run(1).resolve("report.html"), "first");
    Files.writeString(run(1).resolve("report.json"), "{}");
    Files.writeString(run(2).resolve("report.json"), "{}");
    try (History history = History.open(runs.resolve("history.db"))) {
      for (int night = 1; night <= 3; night++) {
        history.add(Reports.complete("map", NIGHT.plusSeconds(night), List.of()), run(night));
      }
      List<Path> linked =
          Pattern.compile("href=\"([^\"]*)\"")
              .matcher(write(history))
              .results()
              .map(link -> URI.create(link.group(1)))
              .map(page().toUri()::resolve)
              .map(Path::of)
              .toList();

      assertThat(linked)
          .containsExactly(run(2).resolve("report.json"), run(1).resolve("report.html"));
    }
  }

  @Test
  void nothingThatATargetPrintsShouldBecomeMarkup() throws IOException {
    try (History history = History.open(runs.resolve("history.db"))) {
      history.addFailure(
          RunRecord.failure(
              "<i>map",
              NIGHT,
              Optional.empty(),
              ExitCode.NOT_TRUSTWORTHY,
              "</pre><script>alert(1)</script>\u001b[31m\u0000",
              1));
      assertThat(write(history))
          .contains("&lt;/pre&gt;&lt;script&gt;", "&lt;i&gt;map")
          .doesNotContain("<script>alert", "<i>", "\u001b", "\u0000", "http:", "https:", "src=");
    }
  }

  @Test
  void findingsShouldBeShownWithWhatBecameOfThem() throws IOException {
    try (History history = History.open(runs.resolve("history.db"))) {
      history.add(Reports.complete("map", NIGHT, List.of(A)), run(1));
      assertThat(write(history)).contains(A, ">new<", "<title>").doesNotContain(">gone<");

      history.add(Reports.complete("map", NIGHT.plusSeconds(1), List.of()), run(2));
      assertThat(write(history)).contains(A, ">gone<").doesNotContain(">new<");
    }
    try (Stream<Path> files = Files.list(runs)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrder("index.html", "history.db", "map");
    }
  }

  @Test
  void latestSweepShouldBeShownByWhatCameOfItsCampaignsAndOthersFoldedAway() throws IOException {
    try (History history = History.open(runs.resolve("history.db"))) {
      history.add(Reports.complete("removed", NIGHT, List.of(A)), run(1));
      history.add(Reports.complete("waiting", NIGHT, List.of()), run(2));
      history
          .sweeps()
          .begin(
              "{}", List.of("buggy", "broken", "fine", "waiting", "fresh"), NIGHT.plusSeconds(60));
      history.add(Reports.complete("buggy", NIGHT.plusSeconds(60), List.of(A)), run(3));
      history.add(Reports.complete("fine", NIGHT.plusSeconds(61), List.of()), run(4));
      history.addFailure(
          RunRecord.failure(
              "broken",
              NIGHT.plusSeconds(62),
              Optional.empty(),
              ExitCode.NOT_TRUSTWORTHY,
              "no such file\nat all",
              1));

      assertThat(write(history))
          .contains(
              "<h1>5 campaigns: 1 with bugs, 1 failed, 1 clean, 2 not run</h1>",
              "Not in the last sweep: 1 campaign: 1 with bugs",
              "<h2>1 never run</h2>\n<p>fresh</p>")
          .containsSubsequence(
              "New (1)",
              "Failures (1)",
              "no such file",
              "1 with bugs",
              "id=\"campaign-buggy\"",
              "1 failed",
              "id=\"campaign-broken\"",
              "1 clean",
              "id=\"campaign-fine\"",
              "1 not run",
              "id=\"campaign-waiting\"",
              "<details class=\"others\">",
              "id=\"campaign-removed\"");
    }
  }

  @Test
  void withoutASweepTheLastRunOfEachCampaignShouldStandForIt() throws IOException {
    try (History history = History.open(runs.resolve("history.db"))) {
      history.add(Reports.complete("map", NIGHT, List.of(A)), run(1));
      history.add(Reports.complete("tree", NIGHT, List.of()), run(2));

      assertThat(write(history))
          .contains("<h1>2 campaigns: 1 with bugs, 1 clean</h1>")
          .doesNotContain("Not in the last sweep");
    }
  }
}
