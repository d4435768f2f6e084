// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.image.PmArea;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.trace.file.TraceReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * Collects what the target told the world, as far as the trace was read: one file, in the order in
 * which it was told, of the outputs that the campaign names and of what it says by powercut.h. What
 * the kernel moved without anybody seeing the bytes is not in it. Closing it removes the file.
 */
public final class AcknowledgedLog implements TraceConsumer, Closeable {
  private final Set<OutputKind> kinds;
  private final PrivateDirectory directory;
  private final Path file;
  private final FileChannel channel;
  private final Acknowledgement.History history = new Acknowledgement.History();
  private long bytes;
  private long lines;
  private long inLastLine;

  private AcknowledgedLog(Set<OutputKind> kinds, PrivateDirectory directory) throws IOException {
    this.kinds = Set.copyOf(kinds);
    this.directory = directory;
    this.file = directory.path().resolve("acknowledged");
    this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * An empty log.
   *
   * @param kinds the outputs that it collects
   * @param area where its file is
   */
  public static AcknowledgedLog open(Set<OutputKind> kinds, PmArea area) {
    try {
      PrivateDirectory directory = area.newDirectory();
      try {
        return new AcknowledgedLog(kinds, directory);
      } catch (IOException e) {
        directory.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an execution told that is over. */
  public static AcknowledgedLog of(Set<OutputKind> kinds, PmArea area, Execution execution) {
    AcknowledgedLog log = open(kinds, area);
    try {
      if (!log.kinds.isEmpty()) {
        TraceReader.of(execution.trace()).read(log);
      }
      return log;
    } catch (IOException e) {
      log.close();
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    if (event instanceof TraceEvent.Output output && isCollected(output.kind())) {
      append(output.data().duplicate());
      history.add(
          new Acknowledgement.Output(output.ordinal(), output.stack(), output.site()),
          bytes,
          lines);
    }
  }

  /** Whether output of a kind is collected; what powercut.h acknowledges is, if anything is. */
  public boolean isCollected(OutputKind kind) {
    return kinds.contains(kind) || (kind == OutputKind.ACKNOWLEDGED && !kinds.isEmpty());
  }

  private void append(ByteBuffer data) throws IOException {
    for (int index = data.position(); index < data.limit(); index++) {
      inLastLine++;
      if (data.get(index) == '\n') {
        lines++;
        inLastLine = 0;
      }
    }
    bytes += data.remaining();
    while (data.hasRemaining()) {
      channel.write(data);
    }
  }

  /** What was acknowledged so far; nothing if recovery does not read it. */
  public Optional<Acknowledgement> now() {
    return kinds.isEmpty()
        ? Optional.empty()
        : Optional.of(new Acknowledgement(file, bytes, lines, history));
  }

  /** How much was acknowledged so far, such as {@code 4 lines and 3 bytes}. */
  public String amount() {
    String whole = count(lines, "line");
    if (inLastLine == 0) {
      return whole;
    }
    String rest = count(inLastLine, "byte");
    return lines == 0 ? rest : whole + " and " + rest;
  }

  private static String count(long number, String what) {
    return "%d %s%s".formatted(number, what, number == 1 ? "" : "s");
  }

  @Override
  public void close() {
    try (directory) {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
