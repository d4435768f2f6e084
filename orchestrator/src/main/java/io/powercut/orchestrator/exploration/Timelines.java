// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.evidence.Timeline;
import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses what a drawing shows of the time before a crash. */
final class Timelines {
  private static final int LOST_LINES = 3;
  private static final int ARRIVED_LINES = 2;
  private static final int LINES = 5;
  private static final int STEPS = 20;

  /** So many of them may be before the first lost store. */
  private static final int STEPS_BEFORE = 8;

  /** So many lost stores are shown in any case, and so many that arrived. */
  private static final int BLAMED = 5;

  /** Of so many places in the code, the first store behind the first lost one to its line, too. */
  private static final int BEHIND = 8;

  private static final int BYTES = 16;

  /** Frames around the user's code, and of all others. */
  private static final int OUTER_FRAMES = 3;

  private static final int MOST_FRAMES = 12;

  private final TraceTables tables;
  private final CrashPoint moment;

  /**
   * @param tables what the numbers of the trace mean
   * @param moment the crash
   */
  Timelines(TraceTables tables, CrashPoint moment) {
    this.tables = tables;
    this.moment = moment;
  }

  /** A store's part in a cache line. */
  private record Part(long line, long ordinal) {}

  /** A step with what decides whether it is shown: in any case, if it is kept. */
  private record Candidate(Timeline.Event step, long line, boolean isKept) {}

  /** What came before a crash whose image is that of program order; nothing if that is unknown. */
  Optional<Timeline> ofProgramOrder() {
    return timeline(lastLines(Set.of(), 0), 0, new HashMap<>(), List.of());
  }

  /** What came before a crash that lost what a culprit says; nothing if that is unknown. */
  Optional<Timeline> of(Culprit culprit) {
    long first = culprit.lost().stream().mapToLong(lost -> lost.store().ordinal()).min().orElse(0);
    Map<Part, Timeline.Fate> fates = new HashMap<>();
    if (culprit.state().isFew()) {
      for (LineDifference difference : culprit.state().differences()) {
        difference
            .missing()
            .forEach(
                store ->
                    fates.put(
                        new Part(difference.location(), store.ordinal()), Timeline.Fate.LOST));
      }
    }
    culprit.lost().forEach(lost -> fates.put(part(lost), Timeline.Fate.LOST));
    culprit.arrived().forEach(one -> fates.putIfAbsent(part(one), Timeline.Fate.EARLY));
    List<BlamedStore> kept =
        Stream.of(
                culprit.lost().stream().limit(BLAMED),
                culprit.arrived().stream().limit(BLAMED),
                culprit.lost().stream().limit(1).flatMap(Timelines::behind))
            .flatMap(stores -> stores)
            .toList();
    Set<Long> lines = new LinkedHashSet<>();
    lines(culprit.lost(), LOST_LINES).forEach(lines::add);
    lines(culprit.arrived(), ARRIVED_LINES).forEach(lines::add);
    return timeline(lastLines(lines, first), first, fates, kept);
  }

  /**
   * What was stored to its line since, once for each place: one flush may be missing behind all.
   */
  private static Stream<BlamedStore> behind(BlamedStore lost) {
    return lost.line().stores().stream()
        .filter(store -> store.ordinal() > lost.store().ordinal())
        .collect(
            Collectors.toMap(
                InFlightStore::code, store -> store, (one, later) -> one, LinkedHashMap::new))
        .values()
        .stream()
        .limit(BEHIND)
        .map(store -> new BlamedStore(lost.line(), store));
  }

  private static Stream<Long> lines(List<BlamedStore> stores, int most) {
    return stores.stream().map(store -> store.line().location()).distinct().limit(most);
  }

  private static Part part(BlamedStore store) {
    return new Part(store.line().location(), store.store().ordinal());
  }

  /** Some lines, and those that were stored to last since some place of the trace. */
  private Set<Long> lastLines(Set<Long> given, long since) {
    Set<Long> lines = new LinkedHashSet<>(given);
    List<Happening> recent = moment.recent();
    for (int index = recent.size() - 1; index >= 0 && lines.size() < LINES; index--) {
      Happening one = recent.get(index);
      if (one.kind() == Timeline.Action.STORE && one.ordinal() >= since) {
        lines.add(lineOf(one.location()));
      }
    }
    return lines;
  }

  private Optional<Timeline> timeline(
      Set<Long> lines, long since, Map<Part, Timeline.Fate> fates, List<BlamedStore> kept) {
    List<Candidate> all = new ArrayList<>();
    Set<Part> seen = new HashSet<>();
    for (BlamedStore store : kept) {
      if (lines.contains(store.line().location()) && seen.add(part(store))) {
        all.add(candidate(store, fates));
      }
    }
    for (Happening one : moment.recent()) {
      lines.forEach(line -> candidate(one, line, fates, seen).ifPresent(all::add));
    }
    all.sort(Comparator.comparingLong(one -> one.step().ordinal()));
    List<Candidate> some = lastBefore(since, withoutIdleFences(all));
    long lost = kept.isEmpty() ? Long.MAX_VALUE : kept.get(0).store().ordinal();
    List<Timeline.Event> steps = chosen(some, lost).stream().map(Candidate::step).toList();
    return steps.isEmpty()
        ? Optional.empty()
        : Optional.of(new Timeline(steps, some.size() - steps.size()));
  }

  private Candidate candidate(BlamedStore blamed, Map<Part, Timeline.Fate> fates) {
    InFlightStore store = blamed.store();
    byte[] value = store.value();
    long location = blamed.line().location() + store.firstByte();
    return new Candidate(
        new Timeline.Event(
            store.ordinal(),
            store.thread(),
            Timeline.Action.STORE,
            (store.isNonTemporal() ? Instruction.NON_TEMPORAL_STORE : Instruction.STORE).label(),
            fates.getOrDefault(part(blamed), Timeline.Fate.IN_FLIGHT),
            moment.pathOf(location),
            Location.offset(location),
            value.length,
            HexFormat.of().formatHex(value, 0, Math.min(value.length, BYTES)),
            frames(store.stack(), store.site())),
        blamed.line().location(),
        true);
  }

  /** What an event did to a line. A fence and a synchronisation are about the first of them. */
  private Optional<Candidate> candidate(
      Happening one, long line, Map<Part, Timeline.Fate> fates, Set<Part> seen) {
    long begin = Math.max(one.location(), line);
    long end = Math.min(one.location() + one.size(), line + LineWords.LINE);
    Part part = new Part(line, one.ordinal());
    return switch (one.kind()) {
      case STORE ->
          begin < end && seen.add(part)
              ? Optional.of(
                  new Candidate(
                      step(one, begin, (int) (end - begin), fate(part, fates)), line, false))
              : Optional.empty();
      case FLUSH ->
          lineOf(one.location()) == line
              ? Optional.of(new Candidate(step(one, line, 0, Timeline.Fate.NONE), line, false))
              : Optional.empty();
      case FENCE, SYNC, METADATA ->
          seen.add(new Part(0, one.ordinal()))
              ? Optional.of(new Candidate(step(one, 0, 0, Timeline.Fate.NONE), 0, false))
              : Optional.empty();
    };
  }

  private Timeline.Event step(Happening one, long location, int size, Timeline.Fate fate) {
    StringBuilder bytes = new StringBuilder();
    int from = (int) (location - one.location());
    for (int index = 0; index < Math.min(size, BYTES); index++) {
      int value = one.storedByte(from + index);
      if (value < 0) {
        break;
      }
      bytes.append(HexFormat.of().toHexDigits((byte) value));
    }
    return new Timeline.Event(
        one.ordinal(),
        one.thread(),
        one.kind(),
        one.instruction().label(),
        fate,
        location == 0 ? "" : moment.pathOf(location),
        Location.offset(location),
        size,
        bytes.toString(),
        frames(one.stack(), one.site()));
  }

  private Timeline.Fate fate(Part part, Map<Part, Timeline.Fate> fates) {
    Timeline.Fate known = fates.get(part);
    if (known != null) {
      return known;
    }
    // Of a line with very many stores, which of them are still in flight is not known.
    return moment
        .states()
        .line(part.line())
        .filter(line -> isInFlight(line, part.ordinal()) || line.forgotten() > 0)
        .map(line -> Timeline.Fate.IN_FLIGHT)
        .orElse(Timeline.Fate.PERSISTED);
  }

  private static boolean isInFlight(InFlightLine line, long ordinal) {
    return line.stores().stream().anyMatch(store -> store.ordinal() == ordinal);
  }

  /** Of fences in a row one is enough. */
  private static List<Candidate> withoutIdleFences(List<Candidate> all) {
    List<Candidate> some = new ArrayList<>();
    boolean isFenced = true;
    for (Candidate one : all) {
      boolean isFence = one.step().kind() == Timeline.Action.FENCE;
      if (!isFence || !isFenced) {
        some.add(one);
      }
      isFenced = isFence;
    }
    return some;
  }

  /** What was done since some place of the trace, and the last that was done before. */
  private static List<Candidate> lastBefore(long since, List<Candidate> all) {
    int first = 0;
    while (first < all.size() && all.get(first).step().ordinal() < since) {
      first++;
    }
    return all.subList(Math.max(0, first - STEPS_BEFORE), all.size());
  }

  /**
   * What is kept, what ends the stores behind a lost one, the flushes of their lines, and the last
   * of all else.
   */
  private static List<Candidate> chosen(List<Candidate> all, long lost) {
    Set<Candidate> chosen = new LinkedHashSet<>();
    all.stream().filter(Candidate::isKept).forEach(chosen::add);
    all.stream()
        .filter(one -> one.step().kind() != Timeline.Action.STORE && one.step().ordinal() > lost)
        .findFirst()
        .ifPresent(chosen::add);
    Set<Long> lines = new HashSet<>();
    chosen.forEach(one -> lines.add(one.line()));
    List<Candidate> last = new ArrayList<>(all);
    Collections.reverse(last);
    last.stream()
        .filter(one -> one.step().kind() == Timeline.Action.FLUSH && lines.contains(one.line()))
        .limit(BLAMED)
        .forEach(chosen::add);
    for (Candidate one : last) {
      if (chosen.size() < STEPS) {
        chosen.add(one);
      }
    }
    return all.stream().filter(chosen::contains).toList();
  }

  private List<StackFrame> frames(int stack, int site) {
    return frames(tables.stack(stack, site));
  }

  /** The innermost frames, up to the user's code and a few more. */
  static List<StackFrame> frames(CallStack stack) {
    List<StackFrame> all = TargetStack.of(stack);
    int user = UserCode.of(all).map(all::indexOf).orElse(0);
    return all.subList(0, Math.min(all.size(), Math.min(MOST_FRAMES, user + OUTER_FRAMES)));
  }

  private static long lineOf(long location) {
    return location - location % LineWords.LINE;
  }
}
