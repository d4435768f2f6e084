// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.events.EventArguments;
import io.powercut.orchestrator.cli.events.SweepEvents;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.cli.progress.SweepProgress;
import io.powercut.orchestrator.distribution.SocketCluster;
import io.powercut.orchestrator.distribution.SparkSubmit;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.orchestrator.sweep.CampaignRunner;
import io.powercut.orchestrator.sweep.Sweep;
import io.powercut.orchestrator.sweep.SweepListener;
import io.powercut.orchestrator.sweep.SweepOutcome;
import io.powercut.orchestrator.sweep.SweepPlan;
import io.powercut.orchestrator.sweep.SweepSummary;
import io.powercut.report.history.History;
import io.powercut.report.history.html.HistoryPage;
import io.powercut.report.sweep.LastSweep;
import io.powercut.report.sweep.SweepFiles;
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
      "Runs many campaigns one after another and records their findings in a history. A campaign that"
          + " fails does not stop the others.",
      "",
      "The final table, with new and gone findings, is printed to standard output; progress to standard"
          + " error. powercut history and index.html in the folder of runs show the history; sweep.sarif,"
          + " sweep-junit.xml and sweep.md are for other tools.",
      "",
      "  powercut sweep configs/ --time 6h",
      "  powercut sweep configs/ --time 6h --resume",
      "",
      "The exit code is that of the most important campaign, in the order 1, 3, 2, 4, 0. Ctrl-C ends the"
          + " sweep with 4. docs/nightly-sweeps.md explains how to run it every night."
    })
final class SweepCommand implements Callable<Integer> {
  private static final String ON = "--on";
  private static final String SHIP = "--ship";

  @Parameters(
      paramLabel = "FILE|DIR",
      arity = "1..*",
      description =
          "Campaign files, or directories. In a directory, every .yaml file directly in it that has a"
              + " target.")
  private List<Path> sources = List.of();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Time limit for all campaigns together, for example 6h. Those that the last sweeps did not reach"
              + " come first. Each gets an equal share, or what its last runs took if that is more. What it"
              + " does not use goes to later ones. A campaign that runs out of time is incomplete.")
  private Optional<Duration> time = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets one key of every campaign, for example limits.parallel=4.")
  private List<String> overrides = new ArrayList<>();

  @Mixin private HistoryArguments places = new HistoryArguments();

  @Option(
      names = "--resume",
      description =
          "Continues the latest sweep of the same files: runs the campaigns it did not reach, and"
              + " completes incomplete ones. --time starts again.")
  private boolean resume;

  @Option(
      names = ON,
      paramLabel = "MASTER",
      description =
          "Runs the sweep on an Apache Spark cluster: spark://HOST:PORT, or local[N] for this machine."
              + " docs/spark.md explains it.")
  private Optional<String> on = Optional.empty();

  @Option(
      names = SHIP,
      paramLabel = "URL",
      description =
          "With --on: a folder that all machines reach, for example hdfs://HOST/tmp or file:///shared. What"
              + " they need is read from there. Default: Spark sends it.")
  private Optional<String> ship = Optional.empty();

  @Option(
      names = "--cluster",
      hidden = true,
      description = "The socket of the program that runs units elsewhere.")
  private Optional<Path> cluster = Optional.empty();

  @Mixin private EventArguments output = new EventArguments();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (on.isPresent()) {
      return SparkSubmit.sweep(on.get(), ship, argumentsForCluster());
    }
    if (ship.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--ship needs --on: there are no other machines.");
    }
    if (cluster.isEmpty()) {
      return sweep(new CampaignRunner.Here());
    }
    try (SocketCluster connected = SocketCluster.connect(cluster.get())) {
      return sweep(new CampaignRunner.OnCluster(connected));
    }
  }

  /** What was typed behind {@code sweep}, but for where it is to run. */
  private List<String> argumentsForCluster() {
    List<String> arguments = new ArrayList<>();
    boolean isValue = false;
    List<String> typed = spec.commandLine().getParseResult().originalArgs();
    for (String argument : typed.subList(typed.indexOf(spec.name()) + 1, typed.size())) {
      if (isValue) {
        isValue = false;
      } else if (argument.equals(ON) || argument.equals(SHIP)) {
        isValue = true;
      } else if (!argument.startsWith(ON + "=") && !argument.startsWith(SHIP + "=")) {
        arguments.add(argument);
      }
    }
    return arguments;
  }

  private int sweep(CampaignRunner runner) throws IOException {
    SweepPlan plan = plan();
    plan.skipped()
        .forEach(file -> System.err.println("not a campaign, since it has no target: " + file));
    try (History history = History.open(places.history())) {
      Sweep sweep =
          new Sweep(plan, places.runs(), history, time, listener(() -> writePage(history)), runner);
      SweepOutcome outcome = resume ? sweep.resume() : sweep.run();
      output
          .events()
          .ifPresentOrElse(
              events -> events.write(SweepEvents.result(outcome)),
              () -> Screen.output().print(SweepSummary.of(outcome)));
      return (Interruption.isUnderway() ? ExitCode.INCOMPLETE : outcome.exit()).code();
    }
  }

  private SweepListener listener(Runnable afterEach) {
    return output
        .events()
        .<SweepListener>map(events -> new SweepEvents(events, afterEach))
        .orElseGet(() -> new SweepProgress(Screen.errors(), output, afterEach));
  }

  private void writePage(History history) {
    HistoryPage.write(places.runs().resolve(HistoryPage.DEFAULT_NAME), history);
    LastSweep.of(history).ifPresent(sweep -> SweepFiles.write(places.runs(), sweep));
  }

  private SweepPlan plan() throws IOException {
    SweepPlan plan = SweepPlan.of(sources, overrides, Warnings::print);
    if (plan.campaigns().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there is no campaign (a .yaml file with a target) in " + sources);
    }
    return plan;
  }
}
