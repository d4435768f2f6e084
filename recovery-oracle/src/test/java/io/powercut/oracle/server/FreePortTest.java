// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
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

    for (int i = 0; i < 500; i++) {
      assertThat(FreePort.find()).isBetween(10_000, first - 1);
    }
  }

  @Test
  void portsShouldDifferAndBeFree() throws IOException {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      int port = FreePort.find();
      assertThat(ports.add(port)).isTrue();
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(false);
        socket.bind(new InetSocketAddress(port));
        assertThat(socket.isBound()).isTrue();
      }
    }
  }
}
