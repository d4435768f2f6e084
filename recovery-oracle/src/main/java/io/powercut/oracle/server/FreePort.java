// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free TCP ports.
 *
 * <p>They lie below the range from which the kernel takes the ports of clients (ip(7), {@code
 * ip_local_port_range}). A client that gets the port of a server that is about to start would keep
 * the server from binding it. Worse, a client that asks whether the server is ready could be
 * connected to itself.
 */
public final class FreePort {
  /** The last ports given away, so that two executions that start together do not get the same. */
  private static final Set<Integer> RECENT = new LinkedHashSet<>();

  private static final int REMEMBERED = 1000;

  /** Well-known services are mostly below. */
  private static final int LOWEST = 10_000;

  /** Below this, too many tries would meet a port that was given away. */
  private static final int LEAST_PORTS = 4 * REMEMBERED;

  private static final int MOST_TRIES = 1000;

  private static final Path CLIENT_PORTS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private FreePort() {}

  /**
   * A port of the loopback interface that is free now and was not given away lately.
   *
   * @throws UncheckedIOException if the machine has none left
   */
  public static synchronized int find() {
    int end = firstOfClients();
    for (int tries = 0; end - LOWEST >= LEAST_PORTS && tries < MOST_TRIES; tries++) {
      OptionalInt port = bind(ThreadLocalRandom.current().nextInt(LOWEST, end));
      if (port.isPresent() && isNew(port.getAsInt())) {
        return port.getAsInt();
      }
    }
    while (true) {
      int port = anyPort();
      if (isNew(port)) {
        return port;
      }
    }
  }

  /** The first port that the kernel gives to clients. */
  private static int firstOfClients() {
    try (Scanner range = new Scanner(CLIENT_PORTS, StandardCharsets.US_ASCII)) {
      return range.nextInt();
    } catch (IOException | NoSuchElementException e) {
      return LOWEST; // not known, so the kernel chooses
    }
  }

  /** A port, if nothing uses it and no closed connection of it is remembered by the kernel. */
  private static OptionalInt bind(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(false);
      socket.bind(new InetSocketAddress(port), 1);
      return OptionalInt.of(socket.getLocalPort());
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }

  private static int anyPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isNew(int port) {
    boolean isNew = RECENT.add(port);
    if (RECENT.size() > REMEMBERED) {
      RECENT.remove(RECENT.iterator().next());
    }
    return isNew;
  }
}
