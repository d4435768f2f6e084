// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import io.powercut.trace.TraceEvent.OutputKind;
import java.util.Locale;

/** An output of the target of which one who reads it may rely on what it says. */
public enum Acknowledging {
  /** Standard output. */
  STDOUT(OutputKind.STANDARD_OUTPUT),
  /** Standard error. */
  STDERR(OutputKind.STANDARD_ERROR),
  /** Regular files that are no PM files. */
  FILES(OutputKind.FILE),
  /** Sockets. */
  SOCKETS(OutputKind.SOCKET),
  /** Pipes. */
  PIPES(OutputKind.PIPE);

  private final OutputKind kind;

  Acknowledging(OutputKind kind) {
    this.kind = kind;
  }

  /** What the trace calls it. */
  public OutputKind kind() {
    return kind;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
