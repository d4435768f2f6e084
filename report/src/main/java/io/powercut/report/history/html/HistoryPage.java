// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import io.powercut.exit.PowercutException;
import io.powercut.report.format.WholeFile;
import io.powercut.report.history.FindingHistory;
import io.powercut.report.history.FindingText;
import io.powercut.report.history.History;
import io.powercut.report.history.Timeline;
import io.powercut.report.html.HtmlTemplate;
import io.powercut.report.html.Inline;
import io.powercut.report.sweep.LastSweep;
import io.powercut.report.sweep.SweepResult;
import io.powercut.report.sweep.SweepTotals;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The latest sweep at a glance, and all campaigns with their trends and findings, in one file that
 * needs no network. Without a sweep, the last run of each campaign stands for it.
 *
 * @param written when, in words
 * @param sweep when the sweep began, in words; empty when there was none
 * @param totals how many campaigns came to what, in words
 * @param added findings that were not there before
 * @param gone findings that went
 * @param groups the sweep's campaigns by what came of them, most urgent first
 * @param neverRun campaigns of the sweep without a run
 * @param others campaigns that are not in the sweep, folded away
 */
public record HistoryPage(
    String written,
    String sweep,
    String totals,
    List<News> added,
    List<News> gone,
    List<Group> groups,
    List<String> neverRun,
    Optional<Group> others) {
  /** The file's name in the folder of all runs. */
  public static final String DEFAULT_NAME = "index.html";

  /** More are in their campaigns. */
  private static final int NEWS_SHOWN = 100;

  /**
   * Campaigns of which the same came.
   *
   * @param title in words
   * @param campaigns each once
   */
  record Group(String title, List<CampaignView> campaigns) {}

  /**
   * A finding that came or went.
   *
   * @param campaign its name
   * @param anchor its section in the page
   * @param finding what it is
   */
  record News(String campaign, String anchor, CampaignView.FindingView finding) {}

  /** Copies the lists. */
  public HistoryPage {
    added = List.copyOf(added);
    gone = List.copyOf(gone);
    groups = List.copyOf(groups);
    neverRun = List.copyOf(neverRun);
  }

  /**
   * Writes the page, so that a reader sees the old one or the whole new one.
   *
   * @param file where; links to reports are relative to it
   * @throws PowercutException if it cannot be written
   */
  public static void write(Path file, History history) {
    Path target = file.toAbsolutePath().normalize();
    Links links = new Links(Optional.ofNullable(target.getParent()).orElse(target));
    HistoryPage page = of(history.timelines(), LastSweep.of(history), links);
    Inline style =
        new Inline(Inline.style().text() + Inline.read(HistoryPage.class, "history.css").text());
    Inline script = Inline.read(HistoryPage.class, "history.js");
    WholeFile.write(
        target,
        out ->
            HtmlTemplate.render(
                "history/html/history.jte",
                Map.of("page", page, "style", style, "script", script),
                out));
  }

  private static HistoryPage of(List<Timeline> timelines, Optional<LastSweep> sweep, Links links) {
    List<SweepResult> results =
        sweep
            .map(LastSweep::results)
            .orElseGet(
                () -> timelines.stream().map(one -> SweepResult.of(one, one.last())).toList());
    Map<String, Timeline> known =
        timelines.stream()
            .collect(Collectors.toMap(one -> one.last().facts().campaign(), one -> one));
    List<Group> groups = new ArrayList<>();
    for (SweepResult.Kind kind : SweepResult.Kind.values()) {
      List<CampaignView> campaigns =
          results.stream()
              .filter(result -> result.kind() == kind)
              .flatMap(result -> Stream.ofNullable(known.get(result.campaign())))
              .map(timeline -> CampaignView.of(timeline, kind, links))
              .toList();
      if (!campaigns.isEmpty()) {
        groups.add(new Group(kind.words(), campaigns));
      }
    }
    return new HistoryPage(
        FindingText.time(Instant.now()),
        sweep.map(one -> FindingText.time(one.started())).orElse(""),
        SweepTotals.of(results).inWords(),
        news(results, SweepResult::news),
        news(results, result -> result.changes().gone()),
        groups,
        results.stream()
            .map(SweepResult::campaign)
            .filter(name -> !known.containsKey(name))
            .toList(),
        others(timelines, results, links));
  }

  private static List<News> news(
      List<SweepResult> results, Function<SweepResult, List<FindingHistory>> choice) {
    List<News> news = new ArrayList<>();
    for (SweepResult result : results) {
      for (FindingHistory finding : choice.apply(result)) {
        result
            .run()
            .ifPresent(
                run ->
                    news.add(
                        new News(
                            result.campaign(),
                            CampaignView.anchor(result.campaign()),
                            CampaignView.FindingView.of(finding))));
      }
    }
    return news;
  }

  private static Optional<Group> others(
      List<Timeline> timelines, List<SweepResult> results, Links links) {
    Set<String> names = results.stream().map(SweepResult::campaign).collect(Collectors.toSet());
    List<SweepResult> others = new ArrayList<>();
    List<CampaignView> views = new ArrayList<>();
    for (Timeline timeline : timelines) {
      if (!names.contains(timeline.last().facts().campaign())) {
        SweepResult last = SweepResult.of(timeline, timeline.last());
        others.add(last);
        views.add(CampaignView.of(timeline, last.kind(), links));
      }
    }
    return views.isEmpty()
        ? Optional.empty()
        : Optional.of(new Group(SweepTotals.of(others).inWords(), views));
  }

  /** The first of them. */
  static List<News> shown(List<News> news) {
    return news.subList(0, Math.min(NEWS_SHOWN, news.size()));
  }
}
