// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.RunningCommand;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run of a server: start, wait until it is ready, client, stop. */
public final class ServerRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  /** How long a client may continue without its server. */
  private static final Duration ORPHANED_CLIENT = Duration.ofSeconds(1);

  /** Notifies powercut-catch that its command hangs; the same number is there. */
  private static final Signal LOOK = new Signal(61);

  private final Supervisor supervisor;
  private final CommandSpec command;
  private final ServerPlan plan;
  private final RunningCommand server;

  private ServerRun(Supervisor supervisor, CommandSpec command, ServerPlan plan) {
    this.supervisor = supervisor;
    this.command = command;
    this.plan = plan;
    this.server = supervisor.start(command);
  }

  /**
   * Runs a server from its start to its end.
   *
   * @param supervisor runs the server; its companion runs the client and the command that stops
   * @param command the server, in the foreground; its limits bound the whole run. An output file
   *     makes {@link Readiness.LogLine} see more than the last 16 KiB
   */
  public static ServerOutcome run(Supervisor supervisor, CommandSpec command, ServerPlan plan) {
    ServerRun run = new ServerRun(supervisor, command, plan);
    try {
      return run.untilReady();
    } finally {
      run.server.kill();
    }
  }

  private ServerOutcome untilReady() {
    boolean inTime =
        within(
            plan.readyLimit(),
            () -> !server.isRunning() || plan.ready().isReady(server, command.outputFile()));
    if (!server.isRunning()) {
      return new ServerOutcome.EndedBeforeReady(server.await());
    }
    if (!inTime) {
      return new ServerOutcome.NotReady(killHung(), plan.readyLimit(), plan.ready().describe());
    }
    return plan.client().isPresent() ? withClient(plan.client().get()) : stop(Optional.empty());
  }

  private ServerOutcome withClient(CommandSpec clientCommand) {
    CommandResult client = runClient(clientCommand);
    return plan.clientSuccess()
        .assess(client)
        .match(
            met -> afterClient(client),
            unmet -> afterFailure(client, unmet.why()),
            unknown -> new ServerOutcome.ClientUnclear(server.kill(), client, unknown.why()));
  }

  /**
   * A client whose server has ended is ended too, after a moment in which it may notice by itself.
   */
  private CommandResult runClient(CommandSpec clientCommand) {
    RunningCommand client = supervisor.companion().start(clientCommand);
    Thread watch =
        new Thread(
            () -> {
              server.await();
              if (!within(ORPHANED_CLIENT, () -> !client.isRunning())) {
                client.kill();
              }
            },
            "powercut-client-of-" + server.pid());
    watch.setDaemon(true);
    watch.start();
    return client.await();
  }

  private ServerOutcome afterClient(CommandResult client) {
    if (server.isRunning()) {
      return stop(Optional.of(client));
    }
    CommandResult ended = server.await();
    return ended.ending() instanceof Ending.Exited
        ? new ServerOutcome.EndedUnasked(ended, Optional.of(client))
        : new ServerOutcome.EndedDuringClient(ended, client);
  }

  private ServerOutcome afterFailure(CommandResult client, String why) {
    return within(plan.deathNotice(), () -> !server.isRunning())
        ? new ServerOutcome.EndedDuringClient(server.await(), client)
        : new ServerOutcome.ClientFailed(
            client.ending() instanceof Ending.TimedOut ? killHung() : server.kill(), client, why);
  }

  /** Where a look is wanted, the catcher takes it at this signal, and the server is dead then. */
  private CommandResult killHung() {
    return plan.lastLook().isPresent() ? server.stop(LOOK, plan.lastLook().get()) : server.kill();
  }

  private ServerOutcome stop(Optional<CommandResult> client) {
    if (!server.isRunning()) {
      return new ServerOutcome.EndedUnasked(server.await(), client);
    }
    return plan.stop()
        .match(
            bySignal -> stopped(server.stop(bySignal.signal(), bySignal.grace()), client),
            byCommand -> stopByCommand(byCommand, client));
  }

  private ServerOutcome stopByCommand(
      StopPlan.ByCommand byCommand, Optional<CommandResult> client) {
    CommandResult stop = supervisor.companion().run(byCommand.command());
    // It may be ended since the server has ended, before that end is known here.
    if (!stop.isSuccess() && !within(plan.deathNotice(), () -> !server.isRunning())) {
      return new ServerOutcome.StopFailed(server.kill(), stop);
    }
    boolean ended = within(byCommand.grace(), () -> !server.isRunning());
    return stopped(ended ? server.await() : server.kill(), client);
  }

  private ServerOutcome stopped(CommandResult result, Optional<CommandResult> client) {
    return result.ending() instanceof Ending.Stopped
        ? new ServerOutcome.DidNotStop(result, plan.stop().grace())
        : new ServerOutcome.Completed(result, client);
  }

  /**
   * Looks again and again; false if the time is over and the condition still does not hold. The
   * last look is after the end of the time: a pause of this JVM is no delay of the server's.
   */
  private static boolean within(Duration limit, Callable<Boolean> condition) {
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOK_EVERY)
          .atMost(limit.plus(LOOK_EVERY))
          .until(condition);
      return true;
    } catch (ConditionTimeoutException e) {
      return lastLook(condition);
    }
  }

  private static boolean lastLook(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
