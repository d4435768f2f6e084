// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Text;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A race as a drawing, in the order of the recorded run: threads are lanes, and time goes
 * downwards.
 *
 * @param lanes the threads, the writer first
 * @param marks what they did
 * @param locks what they held
 * @param from where the time begins in which a crash takes the store away
 * @param to where it ends
 * @param crash where a crash loses data that was used already; nothing if the load came at another
 *     time in this run
 * @param height of the drawing
 */
record RaceDrawing(
    List<Lane> lanes,
    List<Mark> marks,
    List<Bar> locks,
    int from,
    int to,
    Optional<Integer> crash,
    int height) {
  static final int WIDTH = 720;
  private static final int FIRST_LANE = 40;
  private static final int LANE_WIDTH = 340;
  private static final int FIRST_MARK = 62;
  private static final int STEP = 46;
  private static final int BAR_STEP = 12;
  private static final int BAR_REACH = 16;
  private static final int LABEL_LENGTH = 44;

  /**
   * @param thread its number
   * @param x its middle
   */
  record Lane(int thread, int x) {}

  /**
   * @param kind {@code store}, {@code persist} or {@code load}
   * @param label what was done, and where
   * @param x its lane
   * @param y when
   */
  record Mark(String kind, String label, int x, int y) {}

  /**
   * @param label the lock
   * @param x where it is drawn
   * @param from where it is known to be held first
   * @param to where it is known to be held last
   */
  record Bar(String label, int x, int from, int to) {}

  private record Event(String kind, String verb, PersistencyRace.Step step) {}

  static RaceDrawing of(PersistencyRace race) {
    List<Event> events = new ArrayList<>();
    events.add(new Event("store", "store", race.store()));
    race.persist().ifPresent(step -> events.add(new Event("persist", race.end().toString(), step)));
    events.add(new Event("load", "load", race.load()));
    events.sort(Comparator.comparing(event -> event.step().ordinal()));
    List<Lane> lanes = lanes(race);
    List<Mark> marks = new ArrayList<>();
    for (int index = 0; index < events.size(); index++) {
      Event event = events.get(index);
      marks.add(
          new Mark(
              event.kind(),
              event.verb() + ": " + place(event.step().stack()),
              x(lanes, event.step().thread()),
              FIRST_MARK + index * STEP));
    }
    int height = FIRST_MARK + events.size() * STEP;
    int from = y(marks, "store").orElseThrow();
    int to = y(marks, "persist").filter(end -> end > from).orElse(height - BAR_REACH);
    int load = y(marks, "load").orElseThrow();
    return new RaceDrawing(
        lanes,
        List.copyOf(marks),
        locks(events, lanes),
        from,
        to,
        from < load && load < to ? Optional.of((load + to) / 2) : Optional.empty(),
        height);
  }

  private static List<Lane> lanes(PersistencyRace race) {
    Set<Integer> threads = new LinkedHashSet<>();
    threads.add(race.store().thread());
    threads.add(race.load().thread());
    race.persist().ifPresent(step -> threads.add(step.thread()));
    List<Lane> lanes = new ArrayList<>();
    for (int thread : threads) {
      lanes.add(
          new Lane(
              thread, FIRST_LANE + lanes.size() * LANE_WIDTH * 2 / Math.max(2, threads.size())));
    }
    return List.copyOf(lanes);
  }

  private static int x(List<Lane> lanes, int thread) {
    return lanes.stream().filter(lane -> lane.thread() == thread).findFirst().orElseThrow().x();
  }

  private static Optional<Integer> y(List<Mark> marks, String kind) {
    return marks.stream().filter(mark -> mark.kind().equals(kind)).map(Mark::y).findFirst();
  }

  /** Each lock of a lane from the first event at which it is held to the last. */
  private static List<Bar> locks(List<Event> events, List<Lane> lanes) {
    List<Bar> bars = new ArrayList<>();
    for (Lane lane : lanes) {
      Set<String> seen = new LinkedHashSet<>();
      for (Event event : events) {
        if (event.step().thread() == lane.thread()) {
          event.step().held().forEach(lock -> seen.add(lock.address()));
        }
      }
      int number = 0;
      for (String address : seen) {
        number++;
        bars.add(bar(address, lane, number, events));
      }
    }
    return List.copyOf(bars);
  }

  private static Bar bar(String address, Lane lane, int number, List<Event> events) {
    int from = Integer.MAX_VALUE;
    int to = 0;
    String label = address;
    for (int index = 0; index < events.size(); index++) {
      PersistencyRace.Step step = events.get(index).step();
      for (PersistencyRace.Lock lock : step.held()) {
        if (step.thread() == lane.thread() && lock.address().equals(address)) {
          from = Math.min(from, FIRST_MARK + index * STEP - BAR_REACH);
          to = FIRST_MARK + index * STEP + BAR_REACH;
          label = lock.inWords();
        }
      }
    }
    return new Bar(label, lane.x() - BAR_STEP * number, from, to);
  }

  private static String place(List<StackFrame> stack) {
    return Text.beginning(
        UserCode.of(stack).map(StackFrame::text).orElse("unknown code"), LABEL_LENGTH);
  }
}
