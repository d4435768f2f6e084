// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.engine;

import io.powercut.api.Event;
import io.powercut.api.Outcome;
import io.powercut.api.RunOptions;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignProblem;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.installation.InstalledCampaigns;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What {@code powercut run} does, in this process: a campaign and the options of the Java API in,
 * its events and its outcome out. {@link io.powercut.api.Powercut} has the same done by a process.
 */
public final class Engine {
  private final Consumer<CampaignProblem> warnings;
  private final Progress progress;
  private final BiConsumer<Report, Path> reports;

  /**
   * @param warnings gets what is deprecated in campaigns
   * @param progress is told of what happens until a run ends
   * @param reports gets the report of a run that has ended, with its file
   */
  public Engine(
      Consumer<CampaignProblem> warnings, Progress progress, BiConsumer<Report, Path> reports) {
    this.warnings = warnings;
    this.progress = progress;
    this.reports = reports;
  }

  /**
   * Runs a campaign to its end.
   *
   * @param file of the campaign
   * @param listener gets the findings, and then the result
   * @throws IllegalArgumentException if the part is none
   * @throws PowercutException if the run ended early
   */
  public Outcome run(Path file, RunOptions options, Consumer<Event> listener) {
    Optional<Shard> part = options.shard().map(Shard::parse);
    Path runs = options.runs().orElse(Path.of(RunDirectory.DEFAULT_ROOT));
    Campaign campaign = InstalledCampaigns.load(file, options.set(), warnings);
    RunDirectory directory =
        options.resume()
            ? latest(campaign, runs, part)
            : RunDirectory.create(runs, campaign.name(), LocalDateTime.now(ZoneId.systemDefault()));
    // The run stops itself. What is said of it afterwards takes no time, and is not cut off.
    Interruption interruption = new Interruption(() -> {});
    try {
      Report report = new CampaignRun(campaign, file, directory, part, progress).run();
      List<Event> ending = EventLog.ending(report, directory.path());
      ending.forEach(listener);
      reports.accept(report, directory.reportFile());
      return Outcome.of(ending, report.outcome().exitCode(), "");
    } finally {
      interruption.close();
    }
  }

  private static RunDirectory latest(Campaign campaign, Path runs, Optional<Shard> part) {
    RunDirectory directory = RunDirectory.open(runs.resolve(campaign.name()).resolve("latest"));
    if (!directory.campaign().equals(campaign)) {
      throw PowercutException.usage(
          "the campaign has changed since the run in "
              + directory.path()
              + " (compare its campaign.yaml). Start a new run without --resume.");
    }
    requireSameShard(directory, part);
    return directory;
  }

  private static void requireSameShard(RunDirectory directory, Optional<Shard> part) {
    if (!Files.exists(directory.factsFile())) {
      return; // It was ended before it had judged anything.
    }
    Optional<Shard> earlier = directory.facts().shard();
    if (!earlier.equals(part)) {
      throw PowercutException.usage(
          "the run in %s is of %s, not of %s: %s, or start a new run without --resume."
              .formatted(
                  directory.path(),
                  name(earlier),
                  name(part),
                  earlier.map(other -> "add --shard " + other).orElse("omit --shard")));
    }
  }

  private static String name(Optional<Shard> shard) {
    return shard.map(one -> "part " + one).orElse("all failure points");
  }
}
