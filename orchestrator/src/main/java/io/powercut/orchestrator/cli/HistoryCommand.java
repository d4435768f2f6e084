package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
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
      "Shows what the sweeps so far have found: what is new, since when each finding is there, and when"
          + " the others went.",
      "",
      "New is what the last run of a campaign showed and none before it; gone is what a later run did"
          + " not show that was complete and of all failure points.",
      "",
      "  powercut history                   all campaigns, a line each",
      "  powercut history pmdk-btree        one campaign, with its findings",
      "  powercut history --since 7d        what the last seven days have brought",
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
      description = "The name of a campaign. Without it: all.")
  private Optional<String> campaign = Optional.empty();

  @Mixin private HistoryArguments places = new HistoryArguments();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How far back something is new, for example 7d. Without it: what the last run brought.")
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
          "Adds runs to the history first, for example one that powercut merge made. A run that is in it"
              + " already takes its own place.")
  private List<Path> added = new ArrayList<>();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Writes the page over all campaigns too, as powercut sweep writes index.html; its links to"
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
      html.ifPresent(file -> HistoryPage.write(file, history.timelines()));
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
        lines.forEach(System.out::println);
      }
    }
  }
}
