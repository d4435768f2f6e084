// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortTest {
  @Test
  void portShouldNotBeOneThatTheKernelGivesToClients() throws IOException {
    int first;
    try (Scanner range =
        new Scanner(Path.of("/proc/sys/net/ipv4/ip_local_port_range"), StandardCharsets.US_ASCII)) {
      first = range.nextInt();
    }

    for (int i = 0; i < 100; i++) {
      assertThat(FreePort.find()).isBetween(10_000, first - 1);
    }
  }

  @Test
  void portsShouldDifferAndBeFree() throws IOException {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int port = FreePort.find();
      assertThat(ports.add(port)).isTrue();
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(false);
        socket.bind(new InetSocketAddress(port));
        assertThat(socket.isBound()).isTrue();
      }
    }
  }

  @Test
  void portThatAServerHasShouldNotBeFree() throws IOException {
    for (String address : List.of("0.0.0.0", "127.0.0.1", "::1")) {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(address))) {
        assertThat(FreePort.isFree(server.getLocalPort())).as(address).isFalse();
      }
    }
  }

  @Test
  void portWhoseConnectionIsRememberedShouldNotBeFree() throws IOException {
    int port = connectAndClose();

    assertThat(FreePort.isFree(port)).isFalse();
  }

  /** The server closes first, so that the kernel remembers the connection at its port. */
  private static int connectAndClose() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      server.accept().close();
      assertThat(client.getInputStream().read()).isNegative();
      return server.getLocalPort();
    }
  }
}
