// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.Race;
import io.powercut.tree.FailurePointId;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Threads that loaded what others have in flight, and what they did then. */
final class Readers {
  /** So often a race between two places is given while it is in flight, wherever that is. */
  private static final int MOST_TAKEN = 2;

  /**
   * And at so many failure points. What the reader does later may be what does harm, such as to
   * count what it has inserted.
   */
  private static final int MOST_POINTS = 8;

  /**
   * So often where readers are followed, and then the 6th, 8th, 12th, 16th, 24th time and so on.
   */
  private static final int FOLLOWED = 4;

  /** A thread made something last that it had done at a place of the trace. */
  private record Lasting(int thread, long ordinal) {}

  /** A thread loaded what was in flight, and then stored or wrote something. */
  private record ActedOn(OpenWindow window, OpenWindow.Observation loads) {}

  /** Where a race between two places was given while it was in flight. */
  private static final class Taken {
    private final Set<FailurePointId> points = new HashSet<>(2);
    private final List<Race.Tried> tried = new ArrayList<>(2);
    private int times;

    /** Whether it is to be given there as well. */
    boolean add(Race.Tried place, boolean followsReaders) {
      times++;
      boolean isNew = points.size() < MOST_POINTS && points.add(place.id());
      boolean isFollowed = followsReaders && (times <= FOLLOWED || isFarther(times));
      boolean isAdded = isNew || isFollowed || tried.size() < MOST_TAKEN;
      if (isAdded) {
        tried.add(place);
      }
      return isAdded;
    }

    private static boolean isFarther(int times) {
      int leading = times >>> Integer.numberOfTrailingZeros(times);
      return leading == 1 || leading == 3;
    }
  }

  private final boolean followsReaders;

  /** By thread, what it loaded of others and was in flight then. */
  private final Int2ObjectOpenHashMap<Set<OpenWindow>> observed = new Int2ObjectOpenHashMap<>();

  private final List<Lasting> lasting = new ArrayList<>();

  /** Which were not {@linkplain #takeInFlight taken} yet. */
  private final Set<ActedOn> actedOn = new LinkedHashSet<>();

  /** By places of store and load. */
  private final Map<List<Integer>, Taken> taken = new HashMap<>();

  /**
   * @param followsReaders of {@link RaceOptions#followsReaders}
   */
  Readers(boolean followsReaders) {
    this.followsReaders = followsReaders;
  }

  private Set<OpenWindow> observedBy(int thread) {
    return observed.getOrDefault(thread, Set.of());
  }

  /** Whether a thread has loaded something that still is in flight. */
  boolean isReader(int thread) {
    return !observed.isEmpty() && !observedBy(thread).isEmpty();
  }

  /** A thread has loaded what is in flight. */
  void observe(int thread, OpenWindow window) {
    observed.computeIfAbsent(thread, fresh -> new LinkedHashSet<>()).add(window);
  }

  /** Nothing of it is in flight any more. */
  void forget(OpenWindow window) {
    for (OpenWindow.Observation one : window.observations()) {
      Set<OpenWindow> ofReader = observed.get(one.first().access().thread());
      if (ofReader != null) {
        ofReader.remove(window);
      }
    }
  }

  /** What a thread does may follow from what it has loaded. */
  void acts(int thread, long ordinal) {
    for (OpenWindow window : observedBy(thread)) {
      window.isActedOn(thread, ordinal).forEach(loads -> actedOn.add(new ActedOn(window, loads)));
    }
  }

  /** What a thread did at a place of the trace lasts from the current record on. */
  void lasts(int thread, long ordinal) {
    if (isReader(thread)) {
      lasting.add(new Lasting(thread, ordinal));
    }
  }

  /** A record is over: what was persisted by it was so at the same time. */
  void settle() {
    if (lasting.isEmpty()) {
      return;
    }
    for (Lasting one : lasting) {
      for (OpenWindow window : observedBy(one.thread())) {
        window.hasConsequence(one.thread(), one.ordinal());
      }
    }
    lasting.clear();
  }

  /**
   * Races whose reader has stored or written something while what it loaded still is in flight.
   * Each is given again when the reader has done more, and those between the same places at so many
   * failure points.
   */
  List<RaceAnalysis.InFlight> takeInFlight(Race.Tried place) {
    if (actedOn.isEmpty()) {
      return List.of();
    }
    List<RaceAnalysis.InFlight> inFlight = new ArrayList<>();
    for (ActedOn one : actedOn) {
      Access store = one.window().store();
      Access load = one.loads().first().access();
      one.loads().isTried();
      if (one.window().bytes() != 0
          && taken
              .computeIfAbsent(List.of(store.place(), load.place()), fresh -> new Taken())
              .add(place, followsReaders)) {
        inFlight.add(
            new RaceAnalysis.InFlight(
                one.window().site(),
                store.code().stack().orElseThrow(),
                load.code().stack().orElseThrow()));
      }
    }
    actedOn.clear();
    return inFlight;
  }

  /** Where those between two places of store and load were given. */
  List<Race.Tried> tried(int store, int load) {
    Taken known = taken.get(List.of(store, load));
    return known == null ? List.of() : known.tried;
  }
}
