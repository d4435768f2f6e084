// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SocketClusterTest {
  @TempDir private Path folder = Path.of("");

  /**
   * The other program: says that it has three slots, and answers the first unit with its words, and
   * with five.
   */
  private CompletableFuture<String> serve(ServerSocketChannel server, boolean answers) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (SocketChannel channel = server.accept();
              DataInputStream input = new DataInputStream(Channels.newInputStream(channel))) {
            DataOutputStream output = new DataOutputStream(new ChannelOutput(channel));
            output.writeInt(3);
            int number = input.readInt();
            String label = input.readUTF();
            String argument = input.readInt() == 1 ? input.readUTF() : "";
            String file = input.readInt() == 1 ? input.readUTF() : "";
            if (answers) {
              output.writeInt(number);
              output.writeBoolean(false);
              output.writeInt(4);
              output.writeUTF("host");
              output.writeUTF(label + argument);
              output.writeUTF("/result");
              output.writeLong(1500);
              output.writeInt(5);
              String forgotten = input.readInt() == -1 ? input.readUTF() : "";
              return file + " " + forgotten;
            }
            return file;
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  private ServerSocketChannel listen() throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));
    return server;
  }

  private static final Unit UNIT = new Unit("one", List.of("run"), List.of(Path.of("/input")));

  @Test
  void aUnitShouldGoThereAndItsResultComeBack() throws Exception {
    try (ServerSocketChannel server = listen()) {
      CompletableFuture<String> seen = serve(server, true);
      try (SocketCluster cluster = SocketCluster.connect(folder.resolve("socket"))) {
        assertThat(cluster.slots()).isEqualTo(3);
        assertThat(cluster.submit(UNIT).get(30, TimeUnit.SECONDS))
            .isEqualTo(
                new UnitResult(false, 4, "host", "onerun", Optional.of(Path.of("/result")), 1.5));
        assertThat(cluster.slots()).isEqualTo(5);
        cluster.forget(Path.of("/input"));
        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("/input /input");
      }
    }
  }

  @Test
  void whatIsUnderWayWhenTheClusterGoesAwayShouldBeLost() throws Exception {
    try (ServerSocketChannel server = listen()) {
      CompletableFuture<String> seen = serve(server, false);
      try (SocketCluster cluster = SocketCluster.connect(folder.resolve("socket"))) {
        UnitResult result = cluster.submit(UNIT).get(30, TimeUnit.SECONDS);

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("/input");
        assertThat(result.isLost()).isTrue();
        assertThat(cluster.isGone()).isTrue();
        assertThat(cluster.submit(UNIT).get(30, TimeUnit.SECONDS).text()).contains("is gone");
      }
    }
  }

  @Test
  void whereNobodyListensThereShouldBeNoCluster() {
    assertThatThrownBy(() -> SocketCluster.connect(folder.resolve("nobody")))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("cannot reach the cluster");
  }
}
