// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.process.ClientSection;
import io.powercut.campaign.process.Expectation;
import io.powercut.campaign.process.PossibleServer;
import io.powercut.campaign.process.ReadyCondition;
import io.powercut.campaign.process.StopAction;
import io.powercut.campaign.sections.BuildSection;
import io.powercut.campaign.sections.DumpSection;
import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.sections.SetupSection;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.Placeholders;
import io.powercut.campaign.template.Regex;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.server.Readiness;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.oracle.server.StopPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.PowercutHome;
import io.powercut.process.Signal;
import io.powercut.process.SpaceGuard;
import io.powercut.process.Success;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Turns a campaign's sections into commands to run, with placeholders replaced and bounds set. */
public final class Commands {
  private static final Duration DEATH_NOTICE = Duration.ofMillis(500);
  private static final String ACKNOWLEDGED = "POWERCUT_ACKNOWLEDGED";

  private final Campaign campaign;
  private final Path outputs;

  /**
   * @param campaign what is run
   * @param outputs directory for the output of commands
   */
  public Commands(Campaign campaign, Path outputs) {
    this.campaign = campaign;
    this.outputs = outputs;
  }

  /** The command that builds the target. */
  public CommandSpec build(BuildSection build) {
    Placeholders values = campaign.placeholders().withHome(PowercutHome.find());
    return CommandSpec.command(build.command().expand(values))
        .workingDirectory(campaign.workingDirectory())
        .timeLimit(build.timeout())
        .outputFile(outputs.resolve("build.txt"))
        .outputLimit(campaign.limits().output())
        .build();
  }

  /** The command that makes the state from which executions start. */
  public CommandSpec setup(SetupSection setup, ExecutionDirectories places) {
    return bounded(expand(setup.command(), places), setup.timeout(), places)
        .outputFile(outputs.resolve("setup.txt"))
        .build();
  }

  /** A command of an execution with the campaign's environment and bounds. */
  public CommandSpec.Builder bounded(
      List<String> arguments, Duration limit, ExecutionDirectories places) {
    return CommandSpec.command(arguments)
        .environment(environment(places))
        .workingDirectory(campaign.workingDirectory())
        .timeLimit(limit)
        .memoryLimit(campaign.limits().memory())
        .spaceGuard(space(places))
        .ownPm(places.pm())
        .outputLimit(campaign.limits().output());
  }

  /** Where they run. */
  public Path workingDirectory() {
    return campaign.workingDirectory();
  }

  private Map<String, String> environment(ExecutionDirectories places) {
    Map<String, String> environment =
        new LinkedHashMap<>(campaign.environment(placeholders(places)));
    places
        .acknowledged()
        .ifPresent(
            told -> {
              environment.put(ACKNOWLEDGED, places.acknowledgedFile().toString());
              environment.put(ACKNOWLEDGED + "_BYTES", Long.toString(told.bytes()));
              environment.put(ACKNOWLEDGED + "_LINES", Long.toString(told.lines()));
            });
    return environment;
  }

  /**
   * The recovery's steps on a private copy of an image, and after them the dump if there is one.
   */
  public List<io.powercut.oracle.RecoveryStep> recovery(ExecutionDirectories places) {
    return recovery(places, Optional.empty());
  }

  /**
   * The recovery's steps on a private copy of an image, and after them the dump if there is one.
   *
   * @param check looks at what the dump prints
   */
  public List<io.powercut.oracle.RecoveryStep> recovery(
      ExecutionDirectories places, Optional<OutputCheck> check) {
    return Stream.concat(
            campaign.recovery().stream().map(step -> recoveryStep(step, places)),
            campaign.dump().stream().map(section -> dump(section, places, check)))
        .toList();
  }

  /** Whether a step of recovery, or the dump, is a server. */
  public boolean recoveryHasServer() {
    return Stream.concat(campaign.recovery().stream(), campaign.dump().stream())
        .anyMatch(PossibleServer::isServer);
  }

  private io.powercut.oracle.RecoveryStep dump(
      DumpSection section, ExecutionDirectories places, Optional<OutputCheck> check) {
    io.powercut.oracle.RecoveryStep step =
        new io.powercut.oracle.RecoveryStep(
            DumpSection.STEP,
            bounded(expand(section.command(), places), section.timeout(), places).build(),
            Success.EXIT_ZERO,
            server(section, places));
    return check.map(step::checking).orElse(step);
  }

  private io.powercut.oracle.RecoveryStep recoveryStep(
      RecoveryStep step, ExecutionDirectories places) {
    CommandSpec.Builder command = bounded(expand(step.command(), places), step.timeout(), places);
    step.memory().ifPresent(command::memoryLimit);
    return new io.powercut.oracle.RecoveryStep(
        step.name(), command.build(), success(step.consistent(), step), server(step, places));
  }

  /** What to do with a command that is a server; nothing when it is none. */
  public Optional<ServerPlan> server(PossibleServer section, ExecutionDirectories places) {
    return section
        .ready()
        .map(
            ready ->
                new ServerPlan(
                    readiness(ready.condition(), places),
                    ready.timeout(),
                    section.client().map(one -> client(one, places)),
                    section.client().map(one -> success(one.success())).orElse(Success.EXIT_ZERO),
                    stopPlan(section.stopAction(), places),
                    DEATH_NOTICE,
                    Optional.empty()));
  }

  private CommandSpec client(ClientSection client, ExecutionDirectories places) {
    return bounded(expand(client.command(), places), client.timeout(), places).build();
  }

  private Readiness readiness(ReadyCondition condition, ExecutionDirectories places) {
    Placeholders values = placeholders(places);
    return condition.match(
        tcp -> tcpPort(tcp.address().expand(values)),
        unix -> new Readiness.UnixSocket(path(unix.path().expand(values))),
        file -> new Readiness.FileExists(path(file.path().expand(values))),
        log -> new Readiness.LogLine(log.pattern().pattern()));
  }

  private static Readiness tcpPort(String address) {
    int colon = address.lastIndexOf(':');
    return new Readiness.TcpPort(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
  }

  private Path path(String text) {
    return campaign.workingDirectory().resolve(text);
  }

  private StopPlan stopPlan(StopAction stop, ExecutionDirectories places) {
    return stop.match(
        bySignal -> new StopPlan.BySignal(bySignal.signal(), bySignal.grace()),
        byCommand -> {
          List<String> command = expand(byCommand.command(), places);
          Duration grace = byCommand.grace();
          return new StopPlan.ByCommand(
              bounded(command, atLeastASecond(grace), places).build(), grace);
        });
  }

  private static Duration atLeastASecond(Duration grace) {
    return grace.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : grace;
  }

  /** What a campaign expects, as a rule. */
  public static Success success(Expectation expectation) {
    return new Success(
        Set.copyOf(expectation.exit()),
        Set.copyOf(expectation.signal()),
        expectation.output().map(Regex::pattern),
        expectation.notOutput().map(Regex::pattern));
  }

  /** What a campaign expects of a command; a server may end by the signal that stops it. */
  public static Success success(Expectation expectation, PossibleServer section) {
    Success plain = success(expectation);
    if (!section.isServer() || !(section.stopAction() instanceof StopAction.BySignal bySignal)) {
      return plain;
    }
    Set<Signal> signals = new HashSet<>(plain.signals());
    signals.add(bySignal.signal());
    return new Success(plain.exitCodes(), signals, plain.output(), plain.notOutput());
  }

  /** A command template with the placeholders of an execution replaced. */
  public List<String> expand(CommandTemplate command, ExecutionDirectories places) {
    return command.expand(placeholders(places));
  }

  /** What placeholders stand for in an execution. */
  public Placeholders placeholders(ExecutionDirectories places) {
    Placeholders values =
        campaign
            .placeholders()
            .withHome(PowercutHome.find())
            .withPm(places.pm())
            .withRun(places.scratch());
    if (places.acknowledged().isPresent()) {
      values = values.withAcknowledged(places.acknowledgedFile());
    }
    return usesPort() ? values.withPort(places.port()) : values;
  }

  private boolean usesPort() {
    return Stream.of(
            Stream.of(campaign.target()),
            campaign.setup().stream(),
            campaign.recovery().stream(),
            campaign.dump().stream())
        .flatMap(sections -> sections)
        .anyMatch(section -> section.isServer());
  }

  private SpaceGuard space(ExecutionDirectories places) {
    DataSize reserve = campaign.limits().diskReserve();
    return SpaceGuard.atMost(places.pm(), campaign.pm().limit()).andKeepFree(reserve);
  }
}
