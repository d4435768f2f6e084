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

/**
 * What the target had acknowledged at some point of its run: the beginning of a log that only
 * grows, so that of one run equal sizes are equal contents.
 *
 * @param log the file that begins with it; lives as long as the {@code AcknowledgedLog}
 * @param bytes how much of it
 * @param lines how many whole lines these are
 */
public record Acknowledgement(Path log, long bytes, long lines) {
  private static final int BLOCK = 1 << 16;

  /** Of a last line that is longer, reports show the end. */
  private static final int LONGEST_LINE = 1000;

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
}
