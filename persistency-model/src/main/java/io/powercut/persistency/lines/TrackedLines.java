// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.ranges.PmFiles;
import io.powercut.persistency.scratch.Segments;
import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All lines with something in flight, by location, and the threads whose fences they wait for.
 * Lines are <em>hot</em> if something was done to them just now. The others are {@linkplain
 * ColdLines cold}: kept in few bytes, and made hot again before anything is done to them, unless it
 * is done to a whole run of them.
 */
final class TrackedLines {
  /** So many stores to hot lines are kept. */
  private static final int MOST_HOT_STORES = 1 << 17;

  /** Behind all locations, which have no sign. */
  private static final long EVERYWHERE = -1;

  private final PmContents contents;
  private final int mostReusedLines;
  private final InFlightPlaces places;
  private final LineObservers observers;

  /** The last one is the one that something was done to last. */
  private final Long2ObjectLinkedOpenHashMap<LineHistory> hot =
      new Long2ObjectLinkedOpenHashMap<>();

  private final ColdLines cold = new ColdLines();
  private final List<@Nullable ThreadProgress> threads = new ArrayList<>();
  private final byte[] lineBytes = new byte[LineWords.LINE];
  private @Nullable LineCodec codec;

  /** The last hot line, which is what most stores ask for next; nothing if that is not known. */
  private @Nullable LineHistory latest;

  /** To the hot lines. */
  private int stores;

  /** More lines are not hot. */
  private int mostHotLines;

  /**
   * @param mostHotLines more are not hot at first
   * @param mostReusedLines more never are, however often cold lines become hot again
   * @param places is told which stores are in flight
   * @param observers are told of those that are not any more
   */
  TrackedLines(
      PmContents contents,
      int mostHotLines,
      int mostReusedLines,
      InFlightPlaces places,
      LineObservers observers) {
    this.contents = contents;
    this.mostHotLines = mostHotLines;
    this.mostReusedLines = mostReusedLines;
    this.places = places;
    this.observers = observers;
  }

  /** What is done to a line. */
  interface Change {
    void on(LineHistory line);
  }

  // ------------------------------------------------------------------------- all of them

  long size() {
    return hot.size() + cold.size();
  }

  /** Hands out the lines of files that a power cut leaves, in no order. */
  void forEach(PmFiles files, Consumer<LineHistory> receiver) {
    for (LineHistory line : hot.values()) {
      if (files.isFound(Location.file(line.location()))) {
        receiver.accept(line);
      }
    }
    cold.moment()
        .visit(
            0,
            EVERYWHERE,
            (page, run) -> {
              for (int index = 0;
                  files.isFound(Location.file(page)) && index < run.count();
                  index++) {
                receiver.accept(decoded(page, run, index));
              }
              return true;
            });
  }

  /** The lines of files that a power cut leaves, as they are now. */
  LinesInFlight inFlight(PmFiles files) {
    List<StoredLine> pending = new ArrayList<>(hot.size());
    for (LineHistory line : hot.values()) {
      if (files.isFound(Location.file(line.location()))) {
        pending.add(line.snapshot());
      }
    }
    pending.sort((one, other) -> Long.compareUnsigned(one.location(), other.location()));
    return new LinesInFlight(pending, cold.moment(), codec, files.found());
  }

  /** What a thread did since its last fence, and which hot lines wait for the next. */
  ThreadProgress thread(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    ThreadProgress known = threads.get(number);
    if (known == null) {
      known = new ThreadProgress();
      threads.set(number, known);
    }
    return known;
  }

  // ------------------------------------------------------------------------- hot lines

  /** A line, which is hot now; nothing if nothing of it is in flight. */
  @Nullable LineHistory find(long location) {
    LineHistory line = latest;
    if (line != null && line.location() == location) {
      return line;
    }
    line = hot.getAndMoveToLast(location);
    if (line == null) {
      int place = ColdLines.place(location);
      LineRun run = LineRun.find(cold.runs(location), place);
      if (run == null) {
        return null;
      }
      return warm(ColdLines.page(location), run, run.indexOf(place));
    }
    latest = line;
    return line;
  }

  /** A line of which nothing was in flight, as it is in program order before the current record. */
  LineHistory begin(long location) throws IOException {
    contents.read(Location.file(location), Location.offset(location), lineBytes);
    LineHistory line = new LineHistory(location, lineBytes, places);
    hot.put(location, line);
    latest = line;
    return line;
  }

  /** The hot lines of a range. */
  List<LineHistory> hot(LineRange range) {
    List<LineHistory> found = new ArrayList<>();
    if (range.count() <= hot.size()) {
      for (long line = range.first(); range.contains(line); line += LineRange.LINE) {
        LineHistory known = hot.get(line);
        if (known != null) {
          found.add(known);
        }
      }
      return found;
    }
    for (LineHistory line : hot.values()) {
      if (range.contains(line.location())) {
        found.add(line);
      }
    }
    return found;
  }

  /** Not for what happens at each store or fence: to make the closure costs more than it does. */
  void change(LineHistory line, Change change) {
    int before = line.size();
    change.on(line);
    changed(line, before);
  }

  /** A store is in flight in a line from now on. */
  void add(LineHistory line, InFlightStore store) {
    int before = line.size();
    line.add(store);
    changed(line, before);
  }

  /** The fence of a thread takes effect on a line that waits for it. */
  void fence(LineHistory line, int thread) {
    int before = line.size();
    line.fence(thread);
    changed(line, before);
  }

  private void changed(LineHistory line, int before) {
    stores += line.size() - before;
    if (line.isEmpty()) {
      drop(line);
    }
  }

  /** Nothing of a line is in flight any more. */
  void drop(LineHistory line) {
    stores -= line.size();
    if (!line.isEmpty()) {
      line.forget();
    }
    hot.remove(line.location());
    latest = line == latest ? null : latest;
    if (line.isWaiting()) {
      line.forEachWait(thread -> thread(thread).remove(line));
    }
  }

  // ------------------------------------------------------------------------- cold lines

  /** Has the lines cold that nothing was done to for longest; never the last one. */
  void cool() {
    while ((hot.size() > mostHotLines || stores > MOST_HOT_STORES) && hot.size() > 1) {
      LineHistory line = hot.removeFirst();
      latest = line == latest ? null : latest;
      long location = line.location();
      try {
        cold.add(location, codec().encode(line, ColdLines.place(location), isUnfinished(line)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      stores -= line.size();
      line.forEachWait(
          number -> {
            ThreadProgress waiting = thread(number);
            waiting.remove(line);
            waiting.addPage(ColdLines.page(location));
          });
    }
  }

  /** Whether what stored to a line last may go on with it. */
  private boolean isUnfinished(LineHistory line) {
    for (ThreadProgress thread : threads) {
      if (thread != null && thread.mayGoOnWith(line.lastCached())) {
        return true;
      }
    }
    return false;
  }

  private LineCodec codec() {
    LineCodec known = codec;
    if (known == null) {
      try {
        known = new LineCodec(new Segments(contents.newScratch()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      codec = known;
    }
    return known;
  }

  /** The pages of a range that have cold lines, by their first bytes. */
  LongArrayList coldPages(LineRange range) {
    return cold.pages(range.first(), range.last());
  }

  /** The cold lines of the page that a location is in. */
  @Nullable LineRun coldRuns(long page) {
    return cold.runs(page);
  }

  /** A line of a run, which is hot from now on. */
  LineHistory warm(long page, LineRun run, int index) {
    // A program that goes through more lines than are hot would have each encoded each time.
    mostHotLines = Math.min(mostHotLines + 1, mostReusedLines);
    long location = run.location(page, index);
    LineHistory line = new LineHistory(location, codec().decode(run, index), places);
    cold.remove(location);
    hot.put(location, line);
    latest = line;
    stores += line.size();
    line.forEachWait(thread -> thread(thread).add(line));
    return line;
  }

  /** A line of a run, which stays cold. */
  LineHistory decoded(long page, LineRun run, int index) {
    return new LineHistory(
        run.location(page, index), codec().decode(run, index), new InFlightPlaces());
  }

  /** Nothing of the lines of a run is in flight any more. */
  void drop(long page, LineRun run) {
    LineRun runs = cold.runs(page);
    if (runs != null) {
      cold.replace(page, LineRun.withoutRun(runs, run), run.count());
      forget(page, run);
    }
  }

  private void forget(long page, LineRun run) {
    int alike = run.shape().isInline() || observers.followsDepartures() ? 1 : run.count();
    for (int index = 0; index < run.count(); index += alike) {
      for (InFlightStore store : codec().decode(run, index).stores()) {
        places.removeAlike(store, alike);
        places.departed(store.ordinal() + run.ordinal(index + alike - 1) - run.ordinal(index));
        observers.departed(store, run.location(page, index));
      }
    }
  }
}
