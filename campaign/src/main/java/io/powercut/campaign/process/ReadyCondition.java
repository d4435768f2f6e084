// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import io.powercut.campaign.template.Regex;
import io.powercut.campaign.template.TextTemplate;
import java.util.function.Function;

/** The condition under which a server is ready. */
public sealed interface ReadyCondition {
  /** What the function for its kind says. */
  <R> R match(
      Function<Tcp, R> tcp,
      Function<UnixSocket, R> unixSocket,
      Function<FileExists, R> file,
      Function<LogLine, R> logLine);

  /**
   * It accepts connections.
   *
   * @param address host, colon and port
   */
  record Tcp(TextTemplate address) implements ReadyCondition {
    @Override
    public <R> R match(
        Function<Tcp, R> tcp,
        Function<UnixSocket, R> unixSocket,
        Function<FileExists, R> file,
        Function<LogLine, R> logLine) {
      return tcp.apply(this);
    }
  }

  /** It accepts connections at a Unix socket. */
  record UnixSocket(TextTemplate path) implements ReadyCondition {
    @Override
    public <R> R match(
        Function<Tcp, R> tcp,
        Function<UnixSocket, R> unixSocket,
        Function<FileExists, R> file,
        Function<LogLine, R> logLine) {
      return unixSocket.apply(this);
    }
  }

  /** A file exists. */
  record FileExists(TextTemplate path) implements ReadyCondition {
    @Override
    public <R> R match(
        Function<Tcp, R> tcp,
        Function<UnixSocket, R> unixSocket,
        Function<FileExists, R> file,
        Function<LogLine, R> logLine) {
      return file.apply(this);
    }
  }

  /** Something is found in its output. */
  record LogLine(Regex pattern) implements ReadyCondition {
    @Override
    public <R> R match(
        Function<Tcp, R> tcp,
        Function<UnixSocket, R> unixSocket,
        Function<FileExists, R> file,
        Function<LogLine, R> logLine) {
      return logLine.apply(this);
    }
  }
}
