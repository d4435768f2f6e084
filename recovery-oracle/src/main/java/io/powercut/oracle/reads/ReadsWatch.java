// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A question about one image: which of its lines recovery reads. It is answered beside another one,
 * by the run that judges the image. For one thread.
 */
public final class ReadsWatch {
  private final Map<ImageLine, Long> asked;
  private boolean isAsked;
  private Optional<ImageReads> answer = Optional.empty();

  /**
   * @param asked the lines, and a bit for each of their bytes that is meant, the lowest for the
   *     first
   */
  public ReadsWatch(Map<ImageLine, Long> asked) {
    this.asked = Map.copyOf(asked);
  }

  /** Whether recovery ran for it. */
  public boolean isAsked() {
    return isAsked;
  }

  /** What recovery reads; nothing if it did not run for it, or was not followed to its end. */
  public Optional<ImageReads> answer() {
    return answer;
  }

  /**
   * Begins to watch a private copy of the image, which recovery is about to get.
   *
   * @param scratch existing directory outside of the copy
   */
  public Copy on(Path directory, Path scratch) throws IOException {
    isAsked = true;
    Map<ImageLine, FileLine> places = new HashMap<>();
    Map<FileLine, Long> bytes = new HashMap<>();
    for (Map.Entry<ImageLine, Long> line : asked.entrySet()) {
      Path file = directory.resolve(line.getKey().path());
      if (Files.isRegularFile(file)) {
        FileLine place = FileLine.of(file, line.getKey().offset());
        places.put(line.getKey(), place);
        bytes.merge(place, line.getValue(), (one, more) -> one | more);
      }
    }
    Path file = Files.createTempDirectory(scratch, "reads").resolve("lines");
    return new Copy(WatchedLines.create(file, bytes), places);
  }

  /** One copy while recovery runs on it. */
  public final class Copy {
    private final WatchedLines lines;
    private final Map<ImageLine, FileLine> places;

    private Copy(WatchedLines lines, Map<ImageLine, FileLine> places) {
      this.lines = lines;
      this.places = places;
    }

    /** The same command, one of those that run on it one after the other, under the watcher. */
    public CommandSpec watch(CommandSpec command) {
      return lines.watch(command);
    }

    /**
     * Recovery is over: its reads are known if each command was followed to its end.
     *
     * @param commands how many of them ran
     */
    public void end(int commands) throws IOException {
      answer = lines.answer(commands).map(this::reads);
    }

    /** Of lines whose file was not there nothing is known, so they count as read. */
    private ImageReads reads(WatchedLines.Answer known) {
      return (path, offset) -> {
        FileLine line = places.get(ImageLine.of(path, offset));
        return line == null || known.isRead(line);
      };
    }
  }
}
