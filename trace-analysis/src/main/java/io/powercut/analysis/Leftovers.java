package io.powercut.analysis;

import io.powercut.analysis.StoredBytes.State;
import io.powercut.trace.Location;

/** What is not persisted when the trace is over. */
final class Leftovers {
  private final StoredBytes entries;
  private final Lines lines;
  private final FlushedLines flushed;
  private final PmFiles files;
  private final Places places;

  Leftovers(StoredBytes entries, Lines lines, FlushedLines flushed, PmFiles files, Places places) {
    this.entries = entries;
    this.lines = lines;
    this.flushed = flushed;
    this.files = files;
    this.places = places;
  }

  /** Counts the lines that are left, by reason and place of the store. */
  Tally count() {
    Tally tally = new Tally();
    lines.forEachSlot(
        slot -> {
          if (files.isFound(Location.file(Lines.location(lines.line(slot))))) {
            countLine(tally, slot);
          }
        });
    return tally;
  }

  private void countLine(Tally tally, int slot) {
    long line = lines.line(slot);
    boolean everFlushed = flushed.contains(line);
    for (int entry = lines.first(slot); entry != StoredBytes.NONE; entry = entries.next(entry)) {
      if (!entries.isReported(entry) || places.isExcluded(entries.place(entry))) {
        continue;
      }
      Reason reason =
          places.isLock(entries.place(entry))
              ? Reason.LOCK
              : reason(entries.state(entry), everFlushed);
      int flush = reason == Reason.NOT_FENCED ? entries.waitsFor(entry) : Places.NONE;
      long location = Lines.location(line) + Long.numberOfTrailingZeros(entries.mask(entry));
      tally.add(
          reason, entries.place(entry), flush, Places.NONE, line, entries.event(entry), location);
    }
  }

  private static Reason reason(State state, boolean everFlushed) {
    return switch (state) {
      case DIRTY -> everFlushed ? Reason.NOT_FLUSHED : Reason.NEVER_FLUSHED;
      case FLUSHED -> Reason.NOT_FENCED;
      case NON_TEMPORAL -> everFlushed ? Reason.NON_TEMPORAL_NOT_FENCED : Reason.NEVER_FENCED;
    };
  }
}
