// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import io.powercut.campaign.template.Regex;
import io.powercut.campaign.template.TextTemplate;

/** The condition under which a server is ready. */
public sealed interface ReadyCondition {
  /**
   * It accepts connections.
   *
   * @param address host, colon and port
   */
  record Tcp(TextTemplate address) implements ReadyCondition {}

  /** It accepts connections at a Unix socket. */
  record UnixSocket(TextTemplate path) implements ReadyCondition {}

  /** A file exists. */
  record FileExists(TextTemplate path) implements ReadyCondition {}

  /** Something is found in its output. */
  record LogLine(Regex pattern) implements ReadyCondition {}
}
