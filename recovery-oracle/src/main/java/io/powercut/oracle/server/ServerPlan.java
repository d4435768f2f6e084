// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What to do with a server that was started.
 *
 * @param ready how it shows that it can be used
 * @param readyLimit how long it may take for that
 * @param client what to run against it then
 * @param clientSuccess when the client was successful
 * @param stop how it is asked to end after the client
 * @param deathNotice how long to wait, after a client or the command that stops the server failed,
 *     for the server's death to show: a client notices the end of a connection before the kernel
 *     has buried the server
 * @param lastLook for a server under the catcher: before it is killed, since it does not become
 *     ready or its client does not end, its stack is taken, which may take so long
 */
public record ServerPlan(
    Readiness ready,
    Duration readyLimit,
    Optional<CommandSpec> client,
    Success clientSuccess,
    StopPlan stop,
    Duration deathNotice,
    Optional<Duration> lastLook) {
  private static final Duration DEATH_NOTICE = Duration.ofMillis(500);

  /** A client that must exit with 0, and a stop by SIGTERM. */
  public static ServerPlan of(Readiness ready, Duration readyLimit, CommandSpec client) {
    return new ServerPlan(
        ready,
        readyLimit,
        Optional.of(client),
        Success.EXIT_ZERO,
        StopPlan.DEFAULT,
        DEATH_NOTICE,
        Optional.empty());
  }

  /** The same with another client, or none. */
  public ServerPlan withClient(Optional<CommandSpec> newClient) {
    return new ServerPlan(ready, readyLimit, newClient, clientSuccess, stop, deathNotice, lastLook);
  }

  /** The same with its client, and the command that stops it, changed. */
  public ServerPlan withOthers(UnaryOperator<CommandSpec> change) {
    return withClient(client.map(change))
        .withStop(
            stop.match(
                bySignal -> bySignal,
                byCommand ->
                    new StopPlan.ByCommand(change.apply(byCommand.command()), byCommand.grace())));
  }

  /** The same with another way to stop. */
  public ServerPlan withStop(StopPlan newStop) {
    return new ServerPlan(ready, readyLimit, client, clientSuccess, newStop, deathNotice, lastLook);
  }

  /** The same with more time for a death to show. */
  public ServerPlan withDeathNotice(Duration newNotice) {
    return new ServerPlan(ready, readyLimit, client, clientSuccess, stop, newNotice, lastLook);
  }

  /** The same with a last look before it is killed. */
  public ServerPlan withLastLook(Optional<Duration> limit) {
    return new ServerPlan(ready, readyLimit, client, clientSuccess, stop, deathNotice, limit);
  }

  /** The same with at most so much time to get ready and for its client. */
  public ServerPlan within(Duration most) {
    return new ServerPlan(
        ready,
        shorter(readyLimit, most),
        client.map(
            command -> command.toBuilder().timeLimit(shorter(command.timeLimit(), most)).build()),
        clientSuccess,
        stop,
        deathNotice,
        lastLook);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
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
        deathNotice,
        lastLook);
  }
}
