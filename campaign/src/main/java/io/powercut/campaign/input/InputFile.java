// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.input;

import io.powercut.process.DataSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads files that Powercut did not write itself, or wrote long ago. Whatever lies under the name,
 * reading it ends soon and fits into memory: a FIFO would never end, a device neither, and the
 * files of {@code /proc} that say that they hold nothing may wait for the kernel to print
 * something. A file is read only up to the size it has.
 */
public final class InputFile {
  private static final int BUFFER = 64 << 10;
  private static final int NEWLINE = '\n';

  private InputFile() {}

  /** Takes a line of a file. */
  @FunctionalInterface
  public interface LineReader {
    /**
     * One line.
     *
     * @param number from 1
     * @param text without its line end
     */
    void line(int number, String text) throws IOException;
  }

  /**
   * Refuses what is not to be read.
   *
   * @param limit the largest size
   * @throws UnusableInputException if it is no regular file, or larger
   * @throws IOException if it is not there or its status cannot be read
   */
  public static void require(Path file, DataSize limit) throws IOException {
    size(file, limit);
  }

  private static long size(Path file, DataSize limit) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      throw new UnusableInputException(0, "is a directory");
    }
    if (!attributes.isRegularFile()) {
      throw new UnusableInputException(0, "is a FIFO, a socket or a device");
    }
    if (attributes.size() > limit.bytes()) {
      throw tooLarge(limit);
    }
    return attributes.size();
  }

  private static UnusableInputException tooLarge(DataSize limit) {
    return new UnusableInputException(0, "is larger than " + limit);
  }

  /**
   * The whole text of a file.
   *
   * @param limit the largest size
   * @throws UnusableInputException if it is no regular file, larger, or not UTF-8
   * @throws IOException if it is not there or cannot be read
   */
  public static String text(Path file, DataSize limit) throws IOException {
    long size = size(file, limit);
    if (size == 0) {
      return "";
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return decode(stream.readNBytes(Math.toIntExact(size)), 1);
    }
  }

  /**
   * Reads the lines of a file one after the other. What follows the last line end is left out.
   *
   * @param limit the largest size of the file
   * @param lineLimit the largest size of a line
   * @return the bytes of all lines, line ends included
   * @throws UnusableInputException if it is no regular file, larger, or not UTF-8
   * @throws IOException if it is not there or cannot be read
   */
  public static long forEachLine(Path file, DataSize limit, DataSize lineLimit, LineReader reader)
      throws IOException {
    long left = size(file, limit);
    if (left == 0) {
      return 0;
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return new Lines(lineLimit, reader).read(stream, left);
    }
  }

  /** Cuts bytes into lines. */
  private static final class Lines {
    private final DataSize limit;
    private final LineReader reader;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private int number = 1;
    private long whole;

    Lines(DataSize limit, LineReader reader) {
      this.limit = limit;
      this.reader = reader;
    }

    long read(InputStream stream, long size) throws IOException {
      byte[] buffer = new byte[BUFFER];
      long left = size;
      while (left > 0) {
        int count = stream.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (count < 0) {
          break;
        }
        left -= count;
        take(buffer, count);
      }
      return whole;
    }

    private void take(byte[] buffer, int count) throws IOException {
      int from = 0;
      for (int index = 0; index < count; index++) {
        if (buffer[index] == NEWLINE) {
          add(buffer, from, index - from);
          end();
          from = index + 1;
        }
      }
      add(buffer, from, count - from);
    }

    private void add(byte[] buffer, int from, int count) throws IOException {
      if (begun.size() + (long) count > limit.bytes()) {
        throw new UnusableInputException(number, "is longer than " + limit);
      }
      begun.write(buffer, from, count);
    }

    private void end() throws IOException {
      reader.line(number, decode(begun.toByteArray(), number));
      whole += begun.size() + 1L;
      begun.reset();
      number++;
    }
  }

  /** Its files begin with a mark. */
  private static boolean isUtf16(byte[] bytes) {
    int begin = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << Byte.SIZE | (bytes[1] & 0xff);
    return begin == 0xfeff || begin == 0xfffe;
  }

  private static String decode(byte[] bytes, int firstLine) throws UnusableInputException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer input = ByteBuffer.wrap(bytes);
    try {
      return decoder.decode(input).toString();
    } catch (CharacterCodingException e) {
      int line = firstLine;
      for (int index = 0; index < input.position(); index++) {
        line += bytes[index] == NEWLINE ? 1 : 0;
      }
      throw new UnusableInputException(
          line, "is not text in UTF-8" + (isUtf16(bytes) ? " but in UTF-16" : ""));
    }
  }
}
