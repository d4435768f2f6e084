// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.powercut.campaign.input.FileFailure;
import io.powercut.campaign.input.InputFile;
import io.powercut.campaign.input.UnusableInputException;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A file of JSON values, one a line, to which is only added. Each line is written with one call:
 * after a {@code kill -9} at most the last one is incomplete, and it is left out when the file is
 * read again.
 */
final class LineLog<T> {
  private static final long NOT_READ = -1;
  private static final DataSize LARGEST_FILE = DataSize.ofGibibytes(4);
  private static final DataSize LONGEST_LINE = DataSize.ofMebibytes(64);

  private final Path file;
  private final Class<T> type;
  private final String what;
  private final Consumer<T> check;

  /** How much of the file the whole lines take; {@link #NOT_READ} when there is nothing to cut. */
  private long whole = NOT_READ;

  /**
   * @param file need not exist
   * @param what a line is, for messages, such as "a verdict"
   */
  LineLog(Path file, Class<T> type, String what) {
    this(file, type, what, value -> {});
  }

  /**
   * @param file need not exist
   * @param what a line is, for messages, such as "a verdict"
   * @param check throws {@link IllegalArgumentException} for a line that means nothing
   */
  LineLog(Path file, Class<T> type, String what, Consumer<T> check) {
    this.file = file;
    this.type = type;
    this.what = what;
    this.check = check;
  }

  /**
   * What the file holds without an incomplete last line, which goes when a line is added.
   *
   * @throws PowercutException if a line other than the last cannot be read
   */
  List<T> readBack() {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<T> values = new ArrayList<>();
    try {
      whole =
          InputFile.forEachLine(
              file, LARGEST_FILE, LONGEST_LINE, (number, line) -> values.add(parse(line, number)));
      return values;
    } catch (UnusableInputException e) {
      throw damaged(e.line(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private T parse(String line, int number) {
    try {
      T value = Json.parse(line, type);
      check.accept(value);
      return value;
    } catch (JsonProcessingException e) {
      throw damaged(number, Json.problem(e));
    } catch (IllegalArgumentException e) {
      throw damaged(number, String.valueOf(e.getMessage()));
    }
  }

  private PowercutException damaged(int line, String how) {
    return PowercutException.notTrustworthy(
        "%s: not %s: %s. %s, or start a new run without --resume."
            .formatted(
                line == 0 ? file : file + ":" + line,
                what,
                how,
                line == 0 ? "Restore the file from a backup" : "Remove the line"));
  }

  /** Adds a line. */
  void append(T value) {
    ByteBuffer line = ByteBuffer.wrap((Json.line(value) + "\n").getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (whole < channel.size() && whole >= 0) {
        channel.truncate(whole);
      }
      whole = NOT_READ;
      append(channel, line);
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(file, e));
    }
  }

  /** All of the line or nothing of it: on a full disk there may be room for its beginning. */
  private static void append(FileChannel channel, ByteBuffer line) throws IOException {
    long end = channel.size();
    try {
      long position = end;
      while (line.hasRemaining()) {
        position += channel.write(line, position);
      }
    } catch (IOException e) {
      channel.truncate(end);
      throw e;
    }
  }
}
