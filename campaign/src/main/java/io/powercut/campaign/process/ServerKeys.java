// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** What the keys that make a command a server ask of each other. */
public final class ServerKeys {
  private ServerKeys() {}

  public static void check(
      Optional<ReadySection> ready, Optional<ClientSection> client, Optional<StopSection> stop) {
    requireNonNull(ready, "ready is null");
    requireNonNull(client, "client is null");
    requireNonNull(stop, "stop is null");
    if (ready.isEmpty() && (client.isPresent() || stop.isPresent())) {
      throw new IllegalArgumentException(
          "has '"
              + (client.isPresent() ? "client" : "stop")
              + "' but no 'ready'; define when the server is ready, for example ready: {tcp:"
              + " \"127.0.0.1:{port}\"}");
    }
  }
}
