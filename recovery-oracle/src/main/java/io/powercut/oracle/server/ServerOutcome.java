// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import io.powercut.process.CommandResult;
import java.time.Duration;
import java.util.Optional;

/**
 * How the run of a server went. In each case the server has ended, and nothing of it or its client
 * is left.
 */
public sealed interface ServerOutcome {
  /** How {@link ClientFailed} begins in words. */
  String CLIENT_FAILED = "the server ran, but its client failed: ";

  /** The outcome of the server. */
  CommandResult server();

  /** The outcome of its client, if that was started. */
  default Optional<CommandResult> clientResult() {
    return Optional.empty();
  }

  /**
   * The outcome of what was run beside the server, if that is why the run failed or may show why:
   * its client, or the command that stops it.
   */
  default Optional<Other> failedOther() {
    return Optional.empty();
  }

  /**
   * What was run beside a server.
   *
   * @param name what it is, as the begin of a sentence
   * @param result its outcome
   */
  record Other(String name, CommandResult result) {
    static Optional<Other> client(CommandResult result) {
      return Optional.of(new Other("Its client", result));
    }
  }

  /** What a visitor says of it. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Says something of each kind.
   *
   * @param <R> what it says
   */
  interface Visitor<R> {
    /** Visits a {@link Completed}. */
    R visit(Completed outcome);

    /** Visits a {@link EndedBeforeReady}. */
    R visit(EndedBeforeReady outcome);

    /** Visits a {@link NotReady}. */
    R visit(NotReady outcome);

    /** Visits a {@link EndedUnasked}. */
    R visit(EndedUnasked outcome);

    /** Visits a {@link EndedDuringClient}. */
    R visit(EndedDuringClient outcome);

    /** Visits a {@link ClientFailed}. */
    R visit(ClientFailed outcome);

    /** Visits a {@link ClientUnclear}. */
    R visit(ClientUnclear outcome);

    /** Visits a {@link StopFailed}. */
    R visit(StopFailed outcome);

    /** Visits a {@link DidNotStop}. */
    R visit(DidNotStop outcome);
  }

  /** One sentence for a person, without a full stop. */
  String describe();

  /**
   * It became ready, the client was successful, and the server ended when it was asked to (or
   * before, by itself).
   *
   * @param server its ending says whether it ended well
   * @param client the client's result, if there was one
   */
  record Completed(CommandResult server, Optional<CommandResult> client) implements ServerOutcome {
    @Override
    public Optional<CommandResult> clientResult() {
      return client;
    }

    @Override
    public String describe() {
      return "the server did its work and then " + server.ending().describe();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** It ended, or was ended at one of its limits, or was not even started, before it was ready. */
  record EndedBeforeReady(CommandResult server) implements ServerOutcome {
    @Override
    public String describe() {
      return "before the server was ready, " + server.ending().describe();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * It ran, but was not ready in time, and was killed.
   *
   * @param limit the time it had
   * @param what what was waited for
   */
  record NotReady(CommandResult server, Duration limit, String what) implements ServerOutcome {
    @Override
    public String describe() {
      return "the server ran, but " + what + " was not there after " + limit.toMillis() + " ms";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * It was ready and did its work, but then it ended before it was asked to.
   *
   * @param client the client's result, if there was one
   */
  record EndedUnasked(CommandResult server, Optional<CommandResult> client)
      implements ServerOutcome {
    @Override
    public Optional<CommandResult> clientResult() {
      return client;
    }

    @Override
    public String describe() {
      return "the server was ready, and then, before it was asked to stop, "
          + server.ending().describe();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** It ended while the client ran, or was ended at one of its limits. */
  record EndedDuringClient(CommandResult server, CommandResult client) implements ServerOutcome {
    @Override
    public Optional<CommandResult> clientResult() {
      return Optional.of(client);
    }

    @Override
    public Optional<Other> failedOther() {
      return Other.client(client);
    }

    @Override
    public String describe() {
      return "while the client ran, " + server.ending().describe();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The client failed although the server lived on; the server was killed then.
   *
   * @param why the client's failure in words
   */
  record ClientFailed(CommandResult server, CommandResult client, String why)
      implements ServerOutcome {
    @Override
    public Optional<CommandResult> clientResult() {
      return Optional.of(client);
    }

    @Override
    public Optional<Other> failedOther() {
      return Other.client(client);
    }

    @Override
    public String describe() {
      return CLIENT_FAILED + why;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** What the client printed does not tell whether it was successful. */
  record ClientUnclear(CommandResult server, CommandResult client, String why)
      implements ServerOutcome {
    @Override
    public Optional<CommandResult> clientResult() {
      return Optional.of(client);
    }

    @Override
    public Optional<Other> failedOther() {
      return Other.client(client);
    }

    @Override
    public String describe() {
      return "whether the client was successful is not known: " + why;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The command that should stop the server failed; the server was killed then. */
  record StopFailed(CommandResult server, CommandResult stop) implements ServerOutcome {
    @Override
    public Optional<Other> failedOther() {
      return Optional.of(new Other("The command that stops it", stop));
    }

    @Override
    public String describe() {
      return "the command that stops the server failed: " + stop.ending().describe();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * It did not end in time after it was asked to, and was killed.
   *
   * @param grace the time it had
   */
  record DidNotStop(CommandResult server, Duration grace) implements ServerOutcome {
    @Override
    public String describe() {
      return "the server was asked to stop, but was still running "
          + grace.toMillis()
          + " ms later";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
