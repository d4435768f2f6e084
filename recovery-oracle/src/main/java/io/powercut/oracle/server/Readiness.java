// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import io.powercut.process.RunningCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** How a server shows that it can be used. */
public sealed interface Readiness {
  /** Looks once. */
  boolean isReady(RunningCommand server, Optional<Path> outputFile);

  /** What is waited for, in words. */
  String describe();

  /**
   * A connection to a TCP port is accepted; it is closed at once.
   *
   * @param host a name or an address
   * @param port from 1 to 65535
   */
  record TcpPort(String host, int port) implements Readiness {
    @Override
    public boolean isReady(RunningCommand server, Optional<Path> outputFile) {
      InetSocketAddress address = new InetSocketAddress(host, port);
      return !address.isUnresolved() && connects(address);
    }

    @Override
    public String describe() {
      return "TCP port " + host + ":" + port;
    }
  }

  /**
   * A connection to a Unix socket is accepted; it is closed at once.
   *
   * @param path the socket's file, at most 107 bytes long
   */
  record UnixSocket(Path path) implements Readiness {
    @Override
    public boolean isReady(RunningCommand server, Optional<Path> outputFile) {
      return connects(UnixDomainSocketAddress.of(path));
    }

    @Override
    public String describe() {
      return "Unix socket " + path;
    }
  }

  /**
   * A file exists.
   *
   * @param path where
   */
  record FileExists(Path path) implements Readiness {
    @Override
    public boolean isReady(RunningCommand server, Optional<Path> outputFile) {
      return Files.exists(path);
    }

    @Override
    public String describe() {
      return "file " + path;
    }
  }

  /**
   * The server has printed something. It is searched in the output file, as far as that goes, and
   * in the last 16 KiB.
   *
   * @param pattern what
   */
  record LogLine(Pattern pattern) implements Readiness {
    @Override
    public boolean isReady(RunningCommand server, Optional<Path> outputFile) {
      return pattern.matcher(server.outputTail()).find()
          || (outputFile.isPresent() && pattern.matcher(read(outputFile.get())).find());
    }

    private static String read(Path file) {
      try {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      } catch (IOException e) {
        return "";
      }
    }

    @Override
    public String describe() {
      return "output /" + pattern + "/";
    }
  }

  private static boolean connects(SocketAddress address) {
    try (SocketChannel channel = SocketChannel.open(address)) {
      // A client whose own port is the one that it asks for is connected to itself.
      return !channel.getRemoteAddress().equals(channel.getLocalAddress());
    } catch (IOException e) {
      return false;
    }
  }
}
