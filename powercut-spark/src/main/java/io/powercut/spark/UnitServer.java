// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Takes units from a socket, has Spark run each as a job of one task, and answers with what became
 * of it ({@code SocketCluster} is the other side). An input gets to an executor once: broadcast by
 * Spark, or by a folder that all machines reach.
 */
final class UnitServer implements AutoCloseable {
  private static final int FORGET = -1;
  private static final String LOST_TWICE =
      "its executor was killed on both tries; see whether that machine has too little memory, and"
          + " continue with --resume: ";
  private static final int MOST_TEXT = 4000;

  /** Of Spark's configuration: the URL of a folder that all machines reach. */
  private static final String SHIP = "spark.powercut.ship";

  /** Longer paths do not fit into the address of a Unix socket. */
  private static final int LONGEST_SOCKET_PATH = 100;

  private final JavaSparkContext spark;
  private final Path work;
  private final String powercut;
  private final Path socket;
  private final ServerSocketChannel server;
  private final ExecutorService jobs = Executors.newCachedThreadPool(UnitServer::daemon);
  private final Map<String, Input> inputs = new HashMap<>();
  private final Optional<String> ship;
  private int shipped;
  private volatile @Nullable SocketChannel sweep;

  private UnitServer(
      JavaSparkContext spark,
      Path work,
      String powercut,
      Path socket,
      ServerSocketChannel server,
      Optional<String> ship) {
    this.spark = spark;
    this.work = work;
    this.powercut = powercut;
    this.socket = socket;
    this.server = server;
    this.ship = ship;
  }

  /**
   * Opens the socket.
   *
   * @param work a folder of this process alone
   * @param powercut the command, which executors have at the same path
   */
  static UnitServer listen(JavaSparkContext spark, Path work, String powercut) throws IOException {
    Path socket = work.resolve("units");
    if (socket.toString().length() > LONGEST_SOCKET_PATH) {
      throw new IOException("the path is too long for a socket: " + socket + "; set TMPDIR");
    }
    Optional<String> ship =
        Optional.ofNullable(spark.getConf().get(SHIP, null))
            .map(url -> url.replaceAll("/+$", "") + "/powercut-" + spark.sc().applicationId());
    if (ship.isPresent()) {
      Input.Shipped.create(ship.get());
    }
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    return new UnitServer(spark, work, powercut, socket, server, ship);
  }

  private static Thread daemon(Runnable job) {
    Thread thread = new Thread(job, "unit");
    thread.setDaemon(true);
    return thread;
  }

  Path socket() {
    return socket;
  }

  /** Serves until the client closes, or ends without having connected. */
  void serve(Process client) throws IOException {
    CompletableFuture<Void> unused = client.onExit().thenRun(this::stopAccepting);
    try (SocketChannel channel = accept();
        DataInputStream input = new DataInputStream(Channels.newInputStream(channel));
        DataOutputStream output =
            new DataOutputStream(new BufferedOutputStream(new ChannelOutput(channel)))) {
      output.writeInt(spark.defaultParallelism());
      output.flush();
      while (true) {
        take(input, output);
      }
    } catch (EOFException closed) {
      if (!spark.sc().isStopped()) {
        spark.cancelAllJobs();
      }
    } catch (ClosedChannelException neverConnected) {
      // It refused its arguments, and has said so; or there is no Spark any more.
    }
  }

  private SocketChannel accept() throws IOException {
    SocketChannel channel = server.accept();
    sweep = channel;
    return channel;
  }

  private void stopAccepting() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(DataInputStream input, DataOutputStream output) throws IOException {
    int number = input.readInt();
    if (number == FORGET) {
      forget(input.readUTF());
      return;
    }
    String label = input.readUTF();
    List<String> arguments = texts(input);
    List<String> files = texts(input);
    List<Input> sent = new ArrayList<>();
    try {
      for (String file : files) {
        sent.add(input(file));
      }
    } catch (IOException e) {
      lost(number, "the driver cannot send what it needs: " + e.getMessage(), output);
      return;
    }
    UnitTask task = new UnitTask(powercut, arguments, sent);
    jobs.execute(() -> answer(number, label, task, output));
  }

  private static List<String> texts(DataInputStream input) throws IOException {
    int count = input.readInt();
    List<String> texts = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      texts.add(input.readUTF());
    }
    return texts;
  }

  private Input input(String file) throws IOException {
    Input known = inputs.get(file);
    if (known == null) {
      known =
          ship.isPresent()
              ? Input.Shipped.ship(Path.of(file), ship.get(), "input-" + ++shipped)
              : new Input.Sent(spark.broadcast(Files.readAllBytes(Path.of(file))));
      inputs.put(file, known);
    }
    return known;
  }

  private void forget(String file) {
    Input known = inputs.remove(file);
    if (known != null) {
      known.destroy();
    }
  }

  private void answer(int number, String label, UnitTask task, DataOutputStream output) {
    try {
      spark.setJobGroup("unit-" + number, label, true);
      UnitOutput result = spark.parallelize(List.of(number), 1).map(task).collect().get(0);
      Path archive = work.resolve("unit-" + number + ".tar.gz");
      Files.write(archive, result.archive());
      answer(number, false, result, archive.toString(), output);
    } catch (IOException e) {
      lost(number, "the driver cannot keep its result: " + e, output);
    } catch (RuntimeException e) {
      lost(number, reason(e), output);
    } catch (Exception e) { // Spark's own is checked, and Scala does not declare it.
      lost(number, e instanceof SparkException ? reason(e) : e.toString(), output);
    }
  }

  /** The line that says why, of what Spark says at length. */
  private static String reason(Exception failure) {
    String said = String.valueOf(failure.getMessage());
    return said.lines()
        .filter(line -> line.contains("cannot run Powercut") || line.contains("ExecutorLost"))
        .findFirst()
        .map(
            line ->
                line.contains("ExecutorLost")
                    ? LOST_TWICE + line
                    : line.substring(Math.max(0, line.indexOf("the machine "))))
        .orElse(said.substring(0, Math.min(MOST_TEXT, said.length())));
  }

  private void lost(int number, String why, DataOutputStream output) {
    if (spark.sc().isStopped()) {
      disconnect(); // Nothing is wrong with that unit: all are over.
      return;
    }
    answer(number, true, new UnitOutput(0, "", why, new byte[0], 0), "", output);
  }

  private void disconnect() {
    SocketChannel channel = sweep;
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With how many slots there are now: executors come and go. */
  private void answer(
      int number, boolean isLost, UnitOutput result, String archive, DataOutputStream output) {
    synchronized (output) {
      try {
        output.writeInt(number);
        output.writeBoolean(isLost);
        output.writeInt(result.exitCode());
        output.writeUTF(result.host());
        output.writeUTF(result.text());
        output.writeUTF(archive);
        output.writeLong(result.milliseconds());
        output.writeInt(spark.defaultParallelism());
        output.flush();
      } catch (IOException closed) {
        // The sweep has ended, and wants no more results.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    jobs.shutdownNow();
    if (ship.isPresent()) {
      Input.Shipped.remove(ship.get());
    }
  }
}
