// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import com.google.common.collect.ImmutableList;
import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what was seen, by reason and places. */
final class Tally {
  private static final long LOW = 0xffff_ffffL;
  private static final int UNKNOWN = -1;

  /** What was seen at the same places for the same reason. */
  private static final class Seen {
    private final Reason reason;
    private final int[] places;
    private long count;
    private long latest = -1;
    private long first = Long.MAX_VALUE;
    private long firstLocation;

    Seen(Reason reason, int... places) {
      this.reason = reason;
      this.places = places;
    }
  }

  private final List<Seen> all = new ArrayList<>();

  /** Of flushes and fences that had something to do. */
  private final IntOpenHashSet needed = new IntOpenHashSet();

  /** Two places are made one number, and that with the third is the key: no object is needed. */
  private final Long2IntOpenHashMap pairs = new Long2IntOpenHashMap();

  private final Map<Reason, Long2IntOpenHashMap> indexes = new EnumMap<>(Reason.class);

  Tally() {
    pairs.defaultReturnValue(UNKNOWN);
  }

  /** The flush or fence of a place had something to do: it cannot be left out. */
  void markNeeded(int place) {
    needed.add(place);
  }

  /** Counts with one place. */
  void add(Reason reason, int place, long event, long location) {
    add(reason, place, Places.NONE, Places.NONE, event, event, location);
  }

  /** Counts with two places. */
  void add(Reason reason, int place, int second, long event, long location) {
    add(reason, place, second, Places.NONE, event, event, location);
  }

  /**
   * Counts.
   *
   * @param second {@link Places#NONE} when there is none; the third likewise
   * @param unit what is counted: the same twice in a row counts once
   * @param event the earliest tells the location, the lowest one of equal ones
   */
  void add(Reason reason, int place, int second, int third, long unit, long event, long location) {
    Seen seen = seen(reason, place, second, third);
    if (seen.latest != unit) {
      seen.latest = unit;
      seen.count++;
    }
    if (event < seen.first || (event == seen.first && location < seen.firstLocation)) {
      seen.first = event;
      seen.firstLocation = location;
    }
  }

  private Seen seen(Reason reason, int place, int second, int third) {
    long pairKey = (long) place << 32 | (second & LOW);
    int pair = pairs.get(pairKey);
    if (pair == UNKNOWN) {
      pair = pairs.size();
      pairs.put(pairKey, pair);
    }
    long key = (long) pair << 32 | (third & LOW);
    Long2IntOpenHashMap ofReason = indexes.get(reason);
    if (ofReason == null) {
      ofReason = new Long2IntOpenHashMap();
      ofReason.defaultReturnValue(UNKNOWN);
      indexes.put(reason, ofReason);
    }
    int index = ofReason.get(key);
    if (index == UNKNOWN) {
      index = all.size();
      ofReason.put(key, index);
      all.add(new Seen(reason, place, second, third));
    }
    return all.get(index);
  }

  /** Nothing of a kind counts; nothing may be added afterwards. */
  void forget(PatternKind kind) {
    all.removeIf(seen -> seen.reason.kind() == kind);
  }

  /** How often in all, of a kind. */
  long count(PatternKind kind) {
    long count = 0;
    for (Seen seen : all) {
      count += seen.reason.kind() == kind ? seen.count : 0;
    }
    return count;
  }

  /** All that was seen, in no order. */
  List<PatternReport> reports(Places places, TraceTables tables) {
    List<PatternReport> reports = new ArrayList<>();
    for (Seen seen : all) {
      int file = Location.file(seen.firstLocation);
      reports.add(
          new PatternReport(
              seen.reason.kind(),
              seen.reason.severity(),
              seen.reason.seen(seen.count, needed.contains(seen.places[0])),
              involved(seen, places),
              seen.count,
              file == 0 ? "" : tables.file(file).path(),
              Location.offset(seen.firstLocation)));
    }
    return reports;
  }

  private static List<Involved> involved(Seen seen, Places places) {
    ImmutableList.Builder<Involved> involved = ImmutableList.builder();
    for (int index = 0; index < seen.reason.roles().size(); index++) {
      int place = seen.places[index];
      Role role = seen.reason.roles().get(index);
      // A fence waits for non-temporal stores as it does for flushes.
      boolean isStore = role == Role.FLUSH && Places.isNonTemporalStore(place);
      involved.add(places.involved(isStore ? Role.STORE : role, place));
    }
    return involved.build();
  }
}
