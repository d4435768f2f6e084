package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.cli.progress.SweepProgress;
import io.powercut.orchestrator.sweep.Sweep;
import io.powercut.orchestrator.sweep.SweepOutcome;
import io.powercut.orchestrator.sweep.SweepPlan;
import io.powercut.orchestrator.sweep.SweepSummary;
import io.powercut.report.format.Text;
import io.powercut.report.history.History;
import io.powercut.report.history.html.HistoryPage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

/** {@code powercut sweep}. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Runs many campaigns one after the other and keeps what they found in a history. None that"
          + " fails stops the others.",
      "",
      "The table at the end, and what is new or gone since the runs before, goes to standard output;"
          + " progress goes to standard error. powercut history and index.html in the folder of runs"
          + " show the history.",
      "",
      "  powercut sweep configs/ --time 6h",
      "  powercut sweep configs/ --time 6h --resume",
      "",
      "The exit code is that of the campaign to look at first: 1 before 3, 2, 4 and 0. Ctrl-C ends the"
          + " sweep with 4. docs/nightly-sweeps.md tells how to run it every night."
    })
final class SweepCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE|DIR",
      arity = "1..*",
      description =
          "Campaign files, or directories: of these, every .yaml file directly in them that has a target.")
  private List<Path> sources = List.of();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long all of them may take, for example 6h. It is shared out evenly: what a campaign"
              + " does not use goes to those after it, and those that ran out of time in their last run"
              + " come last. One that runs out of time ends incomplete.")
  private Optional<Duration> time = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Changes one key of every campaign, for example limits.parallel=4.")
  private List<String> overrides = new ArrayList<>();

  @Mixin private HistoryArguments places = new HistoryArguments();

  @Option(
      names = "--resume",
      description =
          "Goes on with the latest sweep of the same files: runs those that it did not come to, and the"
              + " rest of those that are incomplete. --time is new.")
  private boolean resume;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    SweepPlan plan = plan();
    plan.skipped()
        .forEach(file -> System.err.println("not a campaign, since it has no target: " + file));
    try (History history = History.open(places.history())) {
      Sweep sweep =
          new Sweep(
              plan,
              places.runs(),
              history,
              time,
              new SweepProgress(System.err, () -> writePage(history)));
      SweepOutcome outcome = resume ? sweep.resume() : sweep.run();
      SweepSummary.of(outcome).stream().map(Text::clean).forEach(System.out::println);
      return outcome.exit().code();
    }
  }

  private void writePage(History history) {
    HistoryPage.write(places.runs().resolve(HistoryPage.DEFAULT_NAME), history.timelines());
  }

  private SweepPlan plan() throws IOException {
    SweepPlan plan = SweepPlan.of(sources, overrides);
    if (plan.campaigns().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there is no campaign (a .yaml file with a target) in " + sources);
    }
    return plan;
  }
}
