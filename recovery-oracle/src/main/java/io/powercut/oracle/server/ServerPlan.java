package io.powercut.oracle.server;

import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import java.time.Duration;
import java.util.Optional;

/**
 * What to do with a server that was started.
 *
 * @param ready how it shows that it can be used
 * @param readyLimit how long it may take for that
 * @param client what to run against it then
 * @param clientSuccess when the client was successful
 * @param stop how it is asked to end after the client
 * @param deathNotice how long to wait, after a client failed, for the server's death to show: a
 *     client notices the end of a connection before the kernel has buried the server
 */
public record ServerPlan(
    Readiness ready,
    Duration readyLimit,
    Optional<CommandSpec> client,
    Success clientSuccess,
    StopPlan stop,
    Duration deathNotice) {
  private static final Duration DEATH_NOTICE = Duration.ofMillis(500);

  /** A client that must exit with 0, and a stop by SIGTERM. */
  public static ServerPlan of(Readiness ready, Duration readyLimit, CommandSpec client) {
    return new ServerPlan(
        ready, readyLimit, Optional.of(client), Success.EXIT_ZERO, StopPlan.DEFAULT, DEATH_NOTICE);
  }

  /** The same with another client, or none. */
  public ServerPlan withClient(Optional<CommandSpec> newClient) {
    return new ServerPlan(ready, readyLimit, newClient, clientSuccess, stop, deathNotice);
  }

  /** The same with another way to stop. */
  public ServerPlan withStop(StopPlan newStop) {
    return new ServerPlan(ready, readyLimit, client, clientSuccess, newStop, deathNotice);
  }

  /** The same with more time for a death to show. */
  public ServerPlan withDeathNotice(Duration newNotice) {
    return new ServerPlan(ready, readyLimit, client, clientSuccess, stop, newNotice);
  }

  /** The same with every limit so many times as long. */
  public ServerPlan withMorePatience(int times) {
    return new ServerPlan(
        ready,
        readyLimit.multipliedBy(times),
        client.map(
            command ->
                command.toBuilder().timeLimit(command.timeLimit().multipliedBy(times)).build()),
        clientSuccess,
        stop,
        deathNotice);
  }
}
