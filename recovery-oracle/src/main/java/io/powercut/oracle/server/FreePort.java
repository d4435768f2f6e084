// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds free TCP ports. */
public final class FreePort {
  /** The last ports given away, so that two executions that start together do not get the same. */
  private static final Set<Integer> RECENT = new LinkedHashSet<>();

  private static final int REMEMBERED = 1000;

  private FreePort() {}

  /**
   * A port of the loopback interface that is free now and was not given away lately.
   *
   * @throws UncheckedIOException if the machine has none left
   */
  public static synchronized int find() {
    while (true) {
      int port = anyPort();
      if (RECENT.add(port)) {
        forgetTheOldest();
        return port;
      }
    }
  }

  private static int anyPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void forgetTheOldest() {
    if (RECENT.size() > REMEMBERED) {
      RECENT.remove(RECENT.iterator().next());
    }
  }
}
