// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.image.files.Removal;
import io.powercut.report.evidence.AcknowledgedOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the target had acknowledged at some point of its run: the beginning of a log that only
 * grows, so that of one run equal sizes are equal contents.
 *
 * @param log the file that begins with it; lives as long as the {@code AcknowledgedLog}
 * @param bytes how much of it
 * @param lines how many whole lines these are
 * @param history what it was before
 */
public record Acknowledgement(Path log, long bytes, long lines, History history) {
  private static final int BLOCK = 1 << 16;

  /** Of a last line that is longer, reports show the end. */
  private static final int LONGEST_LINE = 1000;

  /** One of which nothing is known before. */
  public Acknowledgement(Path log, long bytes, long lines) {
    this(log, bytes, lines, new History());
  }

  /**
   * What had been acknowledged before a record of the trace, which came before this; the same as
   * this if that is no longer known.
   */
  public Acknowledgement before(long ordinal) {
    return history
        .before(ordinal)
        .map(then -> new Acknowledgement(log, then.bytes(), then.lines(), history))
        .orElse(this);
  }

  /** The last output that made it so; nothing if that is not known. */
  public Optional<Output> lastOutput() {
    return history.lastUpTo(bytes);
  }

  /**
   * An output.
   *
   * @param ordinal of its record
   * @param stack the number of its call stack; 0 if that was not collected
   * @param site the number of its instruction
   */
  public record Output(long ordinal, int stack, int site) {}

  /**
   * Makes a file hold it, whatever is there now: what is right already is only read.
   *
   * @throws IOException if there is no room for it
   */
  public void writeTo(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isThere(file)) {
      Removal.remove(file);
    }
    try (FileChannel from = FileChannel.open(log, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE)) {
      ByteBuffer wanted = ByteBuffer.allocate(BLOCK);
      ByteBuffer found = ByteBuffer.allocate(BLOCK);
      for (long at = 0; at < bytes; at += BLOCK) {
        int size = (int) Math.min(BLOCK, bytes - at);
        read(from, wanted, at, size);
        read(to, found, at, size);
        if (!wanted.equals(found)) {
          write(to, wanted, at);
        }
      }
      to.truncate(bytes);
    }
  }

  private static boolean isThere(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static void read(FileChannel channel, ByteBuffer to, long at, int size)
      throws IOException {
    to.clear().limit(size);
    while (to.hasRemaining() && channel.read(to, at + to.position()) > 0) {
      // Goes on until the block is there or the file ends.
    }
    to.flip();
  }

  private static void write(FileChannel channel, ByteBuffer from, long at) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from, at + from.position());
    }
  }

  /**
   * What a report says of it.
   *
   * @throws IOException if the log cannot be read
   */
  public AcknowledgedOutput describe() throws IOException {
    int size = (int) Math.min(LONGEST_LINE, bytes);
    ByteBuffer end = ByteBuffer.allocate(LONGEST_LINE);
    try (FileChannel from = FileChannel.open(log, StandardOpenOption.READ)) {
      read(from, end, bytes - size, size);
    }
    String text = StandardCharsets.UTF_8.decode(end).toString().stripTrailing();
    return new AcknowledgedOutput(bytes, lines, text.substring(text.lastIndexOf('\n') + 1));
  }

  /**
   * How much had been acknowledged after each of the last outputs. One thread adds to it while
   * others ask.
   */
  public static final class History {
    /** So many outputs are remembered, in 32 bytes each. */
    static final int MOST = 1 << 16;

    private static final int FIRST = 64;

    /** Rings, which grow to {@link #MOST}; output {@code n} is at {@code n % length}. */
    private long[] ordinals = new long[FIRST];

    private int[] stacks = new int[FIRST];
    private int[] sites = new int[FIRST];
    private long[] bytes = new long[FIRST];
    private long[] lines = new long[FIRST];
    private long count;

    /**
     * How much had been acknowledged.
     *
     * @param bytes the size of the log
     * @param lines how many whole lines these are
     */
    record Amount(long bytes, long lines) {}

    /**
     * An output was added to the log.
     *
     * @param output with an ordinal larger than all before
     * @param bytesNow the size of the log with it
     * @param linesNow the log's whole lines with it
     */
    public synchronized void add(Output output, long bytesNow, long linesNow) {
      if (count == ordinals.length && count < MOST) {
        int larger = 2 * ordinals.length;
        ordinals = Arrays.copyOf(ordinals, larger);
        stacks = Arrays.copyOf(stacks, larger);
        sites = Arrays.copyOf(sites, larger);
        bytes = Arrays.copyOf(bytes, larger);
        lines = Arrays.copyOf(lines, larger);
      }
      int at = at(count);
      ordinals[at] = output.ordinal();
      stacks[at] = output.stack();
      sites[at] = output.site();
      bytes[at] = bytesNow;
      lines[at] = linesNow;
      count++;
    }

    /** What the log was before a record; nothing if that is no longer known, or never was. */
    synchronized Optional<Amount> before(long ordinal) {
      long oldest = Math.max(0, count - ordinals.length);
      long low = oldest;
      long high = count;
      while (low < high) {
        long middle = (low + high) >>> 1;
        if (ordinals[at(middle)] < ordinal) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low > oldest) {
        int at = at(low - 1);
        return Optional.of(new Amount(bytes[at], lines[at]));
      }
      return count > 0 && oldest == 0 ? Optional.of(new Amount(0, 0)) : Optional.empty();
    }

    /** The last output with which the log was no larger than this. */
    synchronized Optional<Output> lastUpTo(long size) {
      for (long number = count - 1; number >= Math.max(0, count - ordinals.length); number--) {
        int at = at(number);
        if (bytes[at] <= size) {
          return Optional.of(new Output(ordinals[at], stacks[at], sites[at]));
        }
      }
      return Optional.empty();
    }

    private int at(long number) {
      return (int) (number % ordinals.length);
    }
  }
}
