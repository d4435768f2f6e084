// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

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

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  private FreePort() {}

  /**
   * A port of the loopback interface that is free now and was not given away lately.
   *
   * @throws UncheckedIOException if the machine has none left
   */
  public static synchronized int find() {
    int end = firstOfClients();
    for (int tries = 0; end - LOWEST >= LEAST_PORTS && tries < MOST_TRIES; tries++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (isFree(port) && isNew(port)) {
        return port;
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

  /**
   * Whether nothing uses a port and the kernel remembers no closed connection of it.
   *
   * <p>The kernel's tables are read. A socket that tries the port would be inherited for some
   * milliseconds by each process that starts at that moment, and keep the server from the port.
   */
  static boolean isFree(int port) {
    String local = String.format(Locale.ROOT, "%04X ", port);
    for (Path table : TABLES) {
      try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
        if (lines.anyMatch(line -> isAt(local, line))) {
          return false;
        }
      } catch (NoSuchFileException e) {
        // a kernel without IPv6 has one table
      } catch (IOException | UncheckedIOException e) {
        return false; // not known, so the kernel chooses
      }
    }
    return true;
  }

  /** The first columns are {@code 0: 0100007F:1F90 ...} (proc(5)); there may be thousands. */
  private static boolean isAt(String local, String line) {
    int address = line.indexOf(':') + 1;
    return line.startsWith(local, line.indexOf(':', address) + 1);
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
