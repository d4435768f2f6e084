// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.format.Json;
import io.powercut.report.history.History;
import io.powercut.report.history.HistoryJson;
import io.powercut.report.history.HistoryText;
import io.powercut.report.history.Timeline;
import io.powercut.report.history.html.HistoryPage;
import io.powercut.report.rundir.RunDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code powercut history}. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what sweeps have found so far: new findings, when each one appeared, and when others went"
          + " away.",
      "",
      "A finding is new if only the campaign's last run has it. It is gone if a later run, complete and"
          + " of all failure points, does not have it.",
      "",
      "  powercut history                   all campaigns, one line each",
      "  powercut history pmdk-btree        one campaign, with its findings",
      "  powercut history --since 7d        what changed in the last seven days",
      "  powercut history --add powercut-runs/pmdk-btree/latest"
    })
final class HistoryCommand implements Callable<Integer> {
  /** How the history is written. */
  enum Format {
    TEXT,
    JSON
  }

  @Parameters(
      paramLabel = "CAMPAIGN",
      arity = "0..1",
      description = "The name of a campaign. Default: all campaigns.")
  private Optional<String> campaign = Optional.empty();

  @Mixin private HistoryArguments places = new HistoryArguments();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How far back findings count as new, for example 7d. Default: the last run only.")
  private Optional<Duration> since = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json. Default: ${DEFAULT-VALUE}")
  private Format format = Format.TEXT;

  @Option(
      names = "--add",
      paramLabel = "RUN",
      description =
          "First adds runs to the history, for example one made by powercut merge. A run that is already"
              + " there is replaced.")
  private List<Path> added = new ArrayList<>();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Also writes a page about all campaigns, like index.html of powercut sweep. Its links to"
              + " reports are relative.")
  private Optional<Path> html = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (History history =
        added.isEmpty() ? History.openExisting(places.history()) : History.open(places.history())) {
      for (Path run : added) {
        RunDirectory directory = RunDirectory.open(run);
        history.add(ReportBuilder.build(directory.campaign(), directory), directory.path());
      }
      html.ifPresent(file -> HistoryPage.write(file, history));
      List<Timeline> timelines = timelines(history);
      if (timelines.isEmpty()) {
        System.out.println("there is no run in the history " + places.history() + " yet");
      } else {
        show(timelines);
      }
    }
    return ExitCode.NOTHING_NEW.code();
  }

  private List<Timeline> timelines(History history) {
    List<String> known = history.campaigns();
    if (campaign.isPresent() && !known.contains(campaign.get())) {
      throw new ParameterException(
          spec.commandLine(),
          "the history %s has no run of '%s'; it knows %s"
              .formatted(
                  places.history(),
                  campaign.get(),
                  known.isEmpty() ? "none yet" : String.join(", ", known)));
    }
    return known.stream()
        .filter(name -> campaign.isEmpty() || campaign.get().equals(name))
        .flatMap(name -> history.timeline(name).stream())
        .toList();
  }

  private void show(List<Timeline> timelines) {
    Optional<Instant> from = since.map(duration -> Instant.now().minus(duration));
    switch (format) {
      case JSON -> System.out.println(Json.line(HistoryJson.of(timelines, from)));
      case TEXT -> {
        List<String> lines =
            campaign.isPresent()
                ? HistoryText.campaign(timelines.get(0), from)
                : HistoryText.overview(timelines, from);
        Screen.output().print(lines);
      }
    }
  }
}
