// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.RaceExample;
import io.powercut.races.found.WindowEnd;
import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** The races found so far, by places of the user's code, each with its strongest evidence. */
final class Tally {
  /** So many stores of a race are kept beside that of its example. */
  private static final int MOST_OTHERS = 3;

  /** So many stores of a race that others stored over are told apart. */
  private static final int MOST_COVERED = 100_000;

  private record Key(int store, WindowEnd end, int ended, int load) {}

  /** The places where it was seen last, in the line at a location. */
  private record Seen(Window window, Access load, long line, long bytes) {
    /** Whether the load came first: to hold the writer then would not bring it about. */
    private boolean isBackwards() {
      return load.ordinal() < window.store().ordinal();
    }

    /** Of the first byte. */
    private long location() {
      return line + Long.numberOfTrailingZeros(bytes);
    }

    private OwnPersists.Key key() {
      return new OwnPersists.Key(window.store().ordinal(), line);
    }

    private boolean isOfStore(Seen other) {
      return window.store().ordinal() == other.window.store().ordinal();
    }
  }

  private static final class Entry {
    private RaceEvidence evidence;
    private long observations;
    private boolean overlapped;
    private Seen seen;

    /** All that others stored over, up to a limit. */
    private final Set<OwnPersists.Key> covered = new LinkedHashSet<>(0);

    /** Of other stores. */
    private final List<Seen> others = new ArrayList<>();

    Entry(RaceEvidence evidence, Seen seen) {
      this.evidence = evidence;
      this.seen = seen;
    }

    /** Keeps the first ones and the last one; of each store a load behind it if there is one. */
    private void addOther(Seen other) {
      if (other.isOfStore(seen)) {
        return;
      }
      for (int i = 0; i < others.size(); i++) {
        if (other.isOfStore(others.get(i))) {
          others.set(i, others.get(i).isBackwards() ? other : others.get(i));
          return;
        }
      }
      if (others.size() == MOST_OTHERS) {
        others.remove(MOST_OTHERS - 1);
      }
      others.add(other);
    }
  }

  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private final OwnPersists late;

  /**
   * @param late what threads did about stores that others stored over
   */
  Tally(OwnPersists late) {
    this.late = late;
  }

  /**
   * A load races with a window.
   *
   * @param line the location of the line
   * @param bytes of the line that both are about
   * @param observations how often the load read them in the window
   */
  void add(
      RaceEvidence evidence, Window window, Access load, long line, long bytes, long observations) {
    Access ended = window.ended();
    Key key =
        new Key(
            window.store().place(),
            window.end(),
            ended == null ? Code.UNKNOWN.place() : ended.place(),
            load.place());
    Entry entry = entries.get(key);
    Seen now = new Seen(window, load, line, bytes);
    if (entry == null) {
      entry = new Entry(evidence, now);
      entries.put(key, entry);
    } else if (entry.evidence.compareTo(evidence) < 0
        || (entry.evidence == evidence && entry.seen.isBackwards() && !now.isBackwards())) {
      Seen before = entry.seen;
      entry.evidence = evidence;
      entry.seen = now;
      entry.others.removeIf(now::isOfStore);
      entry.addOther(before);
    } else {
      entry.addOther(now);
    }
    if (window.end() == WindowEnd.OVERWRITTEN && entry.covered.size() < MOST_COVERED) {
      entry.covered.add(now.key());
    }
    entry.observations += observations;
    entry.overlapped |= evidence != RaceEvidence.LOCKSET && window.overlaps(load);
  }

  /**
   * All of them, the strongest evidence first, and then those that were found first.
   *
   * @param lockWords what no race is for
   * @param tried by places of store and load, where a crash was tried for them
   */
  List<Race> races(
      Places places,
      TraceTables tables,
      LockWords lockWords,
      BiFunction<Integer, Integer, List<Race.Tried>> tried) {
    List<Race> races = new ArrayList<>();
    entries.forEach(
        (key, entry) -> {
          if (!lockWords.contains(entry.seen.location())) {
            races.add(
                race(key, entry, places, tables).triedAt(tried.apply(key.store(), key.load())));
          }
        });
    races.sort(Comparator.comparing(Race::evidence).reversed());
    return races;
  }

  private Race race(Key key, Entry entry, Places places, TraceTables tables) {
    Seen seen = entry.seen;
    return new Race(
        entry.evidence,
        seen.window().store().code().stack().orElseThrow(),
        key.end(),
        Optional.ofNullable(seen.window().ended()).flatMap(ended -> ended.code().stack()),
        seen.load().code().stack().orElseThrow(),
        entry.observations,
        example(entry.seen, places, tables),
        entry.others.stream().map(other -> example(other, places, tables)).toList(),
        entry.overlapped,
        List.of(),
        own(entry, places));
  }

  private Race.Own own(Entry entry, Places places) {
    if (entry.covered.isEmpty() || entry.covered.size() >= MOST_COVERED) {
      return Race.Own.UNKNOWN;
    }
    return late.persisted(entry.seen.key(), entry.covered)
        .flatMap(
            persist ->
                persist.code().stack().map(stack -> Race.Own.at(stack, step(persist, places))))
        .orElseGet(() -> late.areNever(entry.covered) ? Race.Own.NEVER : Race.Own.UNKNOWN);
  }

  private static RaceExample example(Seen seen, Places places, TraceTables tables) {
    int first = Long.numberOfTrailingZeros(seen.bytes());
    int size = Long.numberOfTrailingZeros(~(seen.bytes() >>> first));
    return new RaceExample(
        tables.file(Location.file(seen.location())).path(),
        Location.offset(seen.location()),
        size,
        seen.window().unit().value(first, size),
        step(seen.window().store(), places),
        seen.window().number(),
        Optional.ofNullable(seen.window().ended()).map(ended -> step(ended, places)),
        step(seen.load(), places));
  }

  private static RaceExample.Step step(Access access, Places places) {
    return new RaceExample.Step(
        access.ordinal(),
        access.thread(),
        access.moment().held().stream().map(held -> held(held, places)).toList());
  }

  private static RaceExample.LockHeld held(HeldLock held, Places places) {
    return new RaceExample.LockHeld(
        held.kind(), held.lock().object(), held.isShared(), places.of(held.stack()).stack());
  }
}
