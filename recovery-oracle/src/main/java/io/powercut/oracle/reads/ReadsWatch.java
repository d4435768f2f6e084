// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A question about one image: which of its lines recovery reads. It is answered beside another one,
 * by the run that judges the image. For one thread.
 */
public final class ReadsWatch {
  private final Map<ImageLine, Long> watched;
  private final Effort effort;
  private final CostlyPages pages;
  private final boolean isAllWatched;
  private boolean isAsked;
  private Optional<ImageReads> answer = Optional.empty();

  /**
   * Without lines that are worth it, it is answered at once.
   *
   * @param asked the lines, and a bit for each of their bytes that is meant, the lowest for the
   *     first
   * @param effort how much it may take
   * @param pages what is known of other images of the run, which this adds to
   */
  public ReadsWatch(Map<ImageLine, Long> asked, Effort effort, CostlyPages pages) {
    this.watched = Map.copyOf(pages.worthWatching(asked, effort));
    this.effort = effort;
    this.pages = pages;
    this.isAllWatched = watched.size() == asked.size();
    if (watched.isEmpty()) {
      isAsked = true;
      answer = Optional.of(reads(line -> LineRead.ALL, Conditions.NONE, !isAllWatched));
    }
  }

  private static ImageReads reads(
      Function<ImageLine, LineRead> read, Conditions conditions, boolean isCoarse) {
    return new ImageReads() {
      @Override
      public LineRead of(String path, long offset) {
        return read.apply(ImageLine.of(path, offset));
      }

      @Override
      public Conditions conditions() {
        return conditions;
      }

      @Override
      public boolean isCoarse() {
        return isCoarse;
      }
    };
  }

  /** Whether recovery ran for it, or need not. */
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
    Map<String, Optional<FileLine>> starts = new HashMap<>();
    Map<ImageLine, FileLine> places = new HashMap<>();
    Map<FileLine, Long> bytes = new HashMap<>();
    for (Map.Entry<ImageLine, Long> line : watched.entrySet()) {
      String path = line.getKey().path();
      Optional<FileLine> start = starts.get(path);
      if (start == null) {
        start = start(directory.resolve(path));
        starts.put(path, start);
      }
      if (start.isPresent()) {
        FileLine place = start.get().at(line.getKey().offset());
        places.put(line.getKey(), place);
        bytes.merge(place, line.getValue(), (one, more) -> one | more);
      }
    }
    Path file = Files.createTempDirectory(scratch, "reads").resolve("lines");
    // Of a line with two names it would not be known which one a condition means.
    Effort possible = bytes.size() == places.size() ? effort : Effort.USUAL;
    return new Copy(WatchedLines.create(file, bytes, possible), places);
  }

  private static Optional<FileLine> start(Path file) throws IOException {
    return Files.isRegularFile(file) ? Optional.of(FileLine.of(file, 0)) : Optional.empty();
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
      Map<FileLine, ImageLine> names = new HashMap<>();
      places.forEach((line, place) -> names.put(place, line));
      places.forEach((line, place) -> pages.learn(line, known.traps(place)));
      return ReadsWatch.reads(
          line -> {
            FileLine place = places.get(line);
            return place == null ? LineRead.ALL : known.read(place);
          },
          known.conditions(names),
          known.isCoarse() || !isAllWatched);
    }
  }
}
