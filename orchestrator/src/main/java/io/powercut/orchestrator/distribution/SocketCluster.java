// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A cluster behind a Unix socket, which the program that knows the cluster has made. It says how
 * many slots there are, first and with each result. Then units go one way and results the other,
 * each with its number; files are named, not sent, since both programs are on one machine.
 */
public final class SocketCluster implements Cluster, AutoCloseable {
  private static final double MILLISECONDS = 1000;

  /** In place of a unit's number: a path follows that is not needed any more. */
  private static final int FORGET = -1;

  private final SocketChannel channel;
  private final DataInputStream input;
  private final DataOutputStream output;
  private volatile int slots;
  private final Map<Integer, CompletableFuture<UnitResult>> waiting = new HashMap<>();
  private volatile boolean isOver;
  private int last;

  private SocketCluster(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.input = new DataInputStream(Channels.newInputStream(channel));
    this.output = new DataOutputStream(new BufferedOutputStream(new ChannelOutput(channel)));
    this.slots = Math.max(1, input.readInt());
  }

  /**
   * Connects.
   *
   * @param socket where the other program listens
   * @throws PowercutException if nobody listens there
   */
  public static SocketCluster connect(Path socket) {
    try {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(socket));
      SocketCluster cluster = new SocketCluster(channel);
      Thread reader = new Thread(cluster::read, "cluster");
      reader.setDaemon(true);
      reader.start();
      return cluster;
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot reach the cluster at " + FileProblem.of(socket, e).text());
    }
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public boolean isGone() {
    return isOver;
  }

  @Override
  public CompletableFuture<UnitResult> submit(Unit unit) {
    CompletableFuture<UnitResult> result = new CompletableFuture<>();
    synchronized (output) {
      if (isOver) {
        return CompletableFuture.completedFuture(UnitResult.lost("the cluster is gone"));
      }
      int number = ++last;
      waiting.put(number, result);
      try {
        output.writeInt(number);
        output.writeUTF(unit.label());
        write(unit.arguments());
        write(unit.inputs().stream().map(Path::toString).toList());
        output.flush();
      } catch (IOException e) {
        waiting.remove(number);
        return CompletableFuture.completedFuture(
            UnitResult.lost("the cluster is gone: " + FileProblem.of(e).text()));
      }
    }
    return result;
  }

  private void write(List<String> texts) throws IOException {
    output.writeInt(texts.size());
    for (String text : texts) {
      output.writeUTF(text);
    }
  }

  @Override
  public void forget(Path file) {
    synchronized (output) {
      try {
        output.writeInt(FORGET);
        output.writeUTF(file.toString());
        output.flush();
      } catch (IOException gone) {
        isOver = true;
      }
    }
  }

  private void read() {
    String why = "the cluster is gone";
    try {
      while (true) {
        int number = input.readInt();
        UnitResult result = readResult();
        CompletableFuture<UnitResult> waited;
        synchronized (output) {
          waited = waiting.remove(number);
        }
        if (waited != null) {
          waited.complete(result);
        }
      }
    } catch (EOFException end) {
      giveUp(why);
    } catch (IOException e) {
      giveUp(why + ": " + FileProblem.of(e).text());
    }
  }

  private UnitResult readResult() throws IOException {
    boolean isLost = input.readBoolean();
    int exitCode = input.readInt();
    String host = input.readUTF();
    String text = input.readUTF();
    String file = input.readUTF();
    double seconds = input.readLong() / MILLISECONDS;
    slots = Math.max(1, input.readInt());
    return new UnitResult(
        isLost,
        exitCode,
        host,
        text,
        file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)),
        seconds);
  }

  private void giveUp(String why) {
    List<CompletableFuture<UnitResult>> left;
    synchronized (output) {
      isOver = true;
      left = List.copyOf(waiting.values());
      waiting.clear();
    }
    left.forEach(one -> one.complete(UnitResult.lost(why)));
  }

  @Override
  public void giveUp() {
    close();
  }

  /** Gives up what is not done; the other program notices it. */
  @Override
  public void close() {
    isOver = true;
    try {
      channel.close();
    } catch (IOException e) {
      giveUp("the cluster is gone: " + FileProblem.of(e).text());
    }
  }
}
