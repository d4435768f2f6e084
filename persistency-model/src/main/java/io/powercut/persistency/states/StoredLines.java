// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.ColdLine;
import io.powercut.persistency.lines.ColdLines;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.KeptLine;
import io.powercut.persistency.lines.LineCodec;
import io.powercut.persistency.lines.LineRun;
import io.powercut.persistency.lines.LineShape;
import io.powercut.persistency.lines.LinesInFlight;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.lines.StoredLine;
import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lines with something in flight at one moment, in files that a power cut leaves. Never
 * changes; can be used by any thread.
 */
public final class StoredLines {
  static final StoredLines NONE = new StoredLines(LinesInFlight.NONE);

  /** Without a sign, behind all locations. */
  public static final long LAST = -1;

  /** Wants lines whatever code stored to them. */
  static final Predicate<Set<StoreCode>> ANY_CODE = codes -> true;

  /** Of each code, so many are in a sample at least. */
  private static final int LEAST_OF_CODE = 4;

  private final List<StoredLine> hot;
  private final ColdLines.Moment cold;
  private final @Nullable LineCodec codec;
  private final BitSet files;
  private final long size;

  StoredLines(LinesInFlight lines) {
    this.hot = lines.hot();
    this.cold = lines.cold();
    this.codec = lines.codec();
    this.files = lines.files();
    this.size = hot.size() + cold.size(files);
  }

  /** How many there are. */
  long size() {
    return size;
  }

  /** The line at a location, if it has something in flight. */
  Optional<KeptLine> line(long location) {
    int index = firstHot(location);
    if (index < hot.size() && hot.get(index).location() == location) {
      return Optional.of(hot.get(index));
    }
    int place = ColdLines.place(location);
    LineRun run =
        files.get(Location.file(location)) ? LineRun.find(cold.runs(location), place) : null;
    return run == null
        ? Optional.empty()
        : Optional.of(new ColdLine(codec(), ColdLines.page(location), run, run.indexOf(place)));
  }

  /** The index of the first of {@link #hot} at a location or behind it. */
  private int firstHot(long location) {
    int low = 0;
    int high = hot.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      boolean isBefore = Long.compareUnsigned(hot.get(middle).location(), location) < 0;
      low = isBefore ? middle + 1 : low;
      high = isBefore ? high : middle;
    }
    return low;
  }

  /** Is told of lines. */
  @FunctionalInterface
  interface Visitor {
    /** Returns whether to go on. */
    boolean visit(KeptLine line);
  }

  /** All of the lines, in no order but by page. */
  void visit(Visitor visitor) {
    visit(0, LAST, ANY_CODE, visitor);
  }

  /**
   * Visits lines, in no order but by page.
   *
   * @param first the location of the first one
   * @param last the same of the last one
   * @param wanted is asked about the code that stored to a line
   */
  void visit(long first, long last, Predicate<Set<StoreCode>> wanted, Visitor visitor) {
    boolean isAny = wanted == ANY_CODE;
    for (int index = firstHot(first);
        index < hot.size() && Long.compareUnsigned(hot.get(index).location(), last) <= 0;
        index++) {
      StoredLine line = hot.get(index);
      if ((isAny || wanted.test(line.codes())) && !visitor.visit(line)) {
        return;
      }
    }
    Codes codes = new Codes();
    cold.visit(
        first,
        last,
        (page, run) -> {
          if (!files.get(Location.file(page)) || !(isAny || codes.mayHave(run, wanted))) {
            return true;
          }
          for (int index = 0; index < run.count(); index++) {
            ColdLine line = new ColdLine(codec(), page, run, index);
            if (isBetween(line.location(), first, last)
                && (isAny || codes.has(line, wanted))
                && !visitor.visit(line)) {
              return false;
            }
          }
          return true;
        });
  }

  private static boolean isBetween(long location, long first, long last) {
    return Long.compareUnsigned(location, first) >= 0 && Long.compareUnsigned(location, last) <= 0;
  }

  private LineCodec codec() {
    if (codec == null) {
      throw new IllegalStateException("there are no cold lines");
    }
    return codec;
  }

  /** The code that stored to the lines of runs, looked up once for each shape. */
  private final class Codes {
    private final IdentityHashMap<LineShape, Set<StoreCode>> known = new IdentityHashMap<>();

    /** Whether any line of the run may have stores of the wanted code. */
    boolean mayHave(LineRun run, Predicate<Set<StoreCode>> wanted) {
      return run.shape().isInline() || wanted.test(of(run, 0));
    }

    /** Whether a line of a run that may has. */
    boolean has(ColdLine line, Predicate<Set<StoreCode>> wanted) {
      return !line.run().shape().isInline() || wanted.test(of(line.run(), line.index()));
    }

    Set<StoreCode> of(LineRun run, int index) {
      return run.shape().isInline()
          ? codec().codes(run, index)
          : known.computeIfAbsent(run.shape(), shape -> codec().codes(run, index));
    }
  }

  /** The code of all stores, in no order. */
  Set<StoreCode> codes() {
    Set<StoreCode> all = new LinkedHashSet<>();
    hot.forEach(line -> all.addAll(line.codes()));
    addCodesOfCold(any -> true, all);
    return all;
  }

  /** The code of some stores, in no order. */
  Set<StoreCode> codes(Predicate<InFlightStore> wanted) {
    Set<StoreCode> all = new LinkedHashSet<>();
    hot.forEach(line -> addCodes(line.stores(), wanted, all));
    addCodesOfCold(wanted, all);
    return all;
  }

  private static void addCodes(
      List<InFlightStore> stores, Predicate<InFlightStore> wanted, Set<StoreCode> codes) {
    for (InFlightStore store : stores) {
      if (wanted.test(store)) {
        codes.add(store.code());
      }
    }
  }

  private void addCodesOfCold(Predicate<InFlightStore> wanted, Set<StoreCode> codes) {
    Set<LineShape> known = Collections.newSetFromMap(new IdentityHashMap<>());
    cold.visit(
        0,
        LAST,
        (page, run) -> {
          boolean isInline = run.shape().isInline();
          if (files.get(Location.file(page)) && (isInline || known.add(run.shape()))) {
            for (int index = 0; index < (isInline ? run.count() : 1); index++) {
              addCodes(codec().decode(run, index).stores(), wanted, codes);
            }
          }
          return true;
        });
  }

  /** Of stores that were forgotten, how many there are. */
  long forgotten() {
    long forgotten = 0;
    for (StoredLine line : hot) {
      forgotten += line.forgotten();
    }
    long[] more = new long[1];
    cold.visit(
        0,
        LAST,
        (page, run) -> {
          for (int index = 0; run.shape().hasGap() && index < run.count(); index++) {
            more[0] += codec().decode(run, index).forgotten();
          }
          return true;
        });
    return forgotten + more[0];
  }

  /** Lines whose first store is from the same code. */
  private static final class Group {
    private long size;
    private long latestOrdinal = -1;
    private long latest;
    private long lowest = LAST;
    private long first;
    private long highest;
    private long last;
    private long seen;
    private @Nullable Set<Long> chosen;

    void count(KeptLine line) {
      long ordinal = line.firstOrdinal();
      if (ordinal > latestOrdinal) {
        latestOrdinal = ordinal;
        latest = size;
      }
      if (Long.compareUnsigned(line.location(), lowest) < 0) {
        lowest = line.location();
        first = size;
      }
      if (Long.compareUnsigned(line.location(), highest) > 0) {
        highest = line.location();
        last = size;
      }
      size++;
    }

    boolean takesNext(int quota, SplittableRandom random) {
      Set<Long> numbers = chosen;
      if (numbers == null) {
        numbers = choose(quota, random);
        chosen = numbers;
      }
      return numbers.isEmpty() || numbers.contains(seen++);
    }

    /** All, or the first, the last, the latest and some between. */
    private Set<Long> choose(int quota, SplittableRandom random) {
      Set<Long> numbers = new LinkedHashSet<>();
      if (size > quota) {
        numbers.addAll(List.of(first, last, latest));
        while (numbers.size() < quota) {
          numbers.add(random.nextLong(size));
        }
      }
      return numbers;
    }
  }

  /**
   * Lines that stand for all of them: of each code whose store comes first in a line the first
   * line, the last one, the one that was stored to last, and some by chance, always the same.
   *
   * @param most how many are wanted; where more code has stored, there are more
   * @return by location; all lines, if they are not more
   */
  List<InFlightLine> sample(int most) {
    List<InFlightLine> lines = new ArrayList<>();
    if (size <= most) {
      visit(line -> lines.add(InFlightLine.of(line)));
    } else {
      choose(most, lines);
    }
    lines.sort((one, other) -> Long.compareUnsigned(one.location(), other.location()));
    return lines;
  }

  private void choose(int most, List<InFlightLine> chosen) {
    Map<Set<StoreCode>, Group> groups = new LinkedHashMap<>();
    eachWithGroup(groups, (line, group) -> group.count(line));
    int quota = Math.max(LEAST_OF_CODE, most / groups.size());
    SplittableRandom random = new SplittableRandom(1);
    eachWithGroup(
        groups,
        (line, group) -> {
          if (group.takesNext(quota, random)) {
            chosen.add(InFlightLine.of(line));
          }
        });
  }

  private interface GroupVisitor {
    void visit(KeptLine line, Group group);
  }

  private void eachWithGroup(Map<Set<StoreCode>, Group> groups, GroupVisitor visitor) {
    for (StoredLine line : hot) {
      visitor.visit(line, groups.computeIfAbsent(first(line.codes()), first -> new Group()));
    }
    Codes codes = new Codes();
    IdentityHashMap<LineShape, Group> known = new IdentityHashMap<>();
    cold.visit(
        0,
        LAST,
        (page, run) -> {
          if (files.get(Location.file(page))) {
            Group group = run.shape().isInline() ? null : known.get(run.shape());
            if (group == null) {
              group = groups.computeIfAbsent(first(codes.of(run, 0)), first -> new Group());
              known.put(run.shape(), group);
            }
            for (int index = 0; index < run.count(); index++) {
              visitor.visit(new ColdLine(codec(), page, run, index), group);
            }
          }
          return true;
        });
  }

  private static Set<StoreCode> first(Set<StoreCode> codes) {
    return codes.stream().findFirst().map(Set::of).orElse(Set.of());
  }

  /** Adds the files that have lines between two locations, or maybe have. */
  void files(long first, long last, IntSet found) {
    for (StoredLine line : hot) {
      if (isBetween(line.location(), first, last)) {
        found.add(Location.file(line.location()));
      }
    }
    cold.files(
        Location.file(first),
        Location.file(last),
        file -> {
          if (files.get(file)) {
            found.add(file);
          }
        });
  }

  /** Hands out the pages that have lines between two locations, maybe several times. */
  void pages(long first, long last, LongConsumer receiver) {
    for (StoredLine line : hot) {
      if (isBetween(line.location(), first, last)) {
        receiver.accept(ColdLines.page(line.location()));
      }
    }
    cold.visit(
        first,
        last,
        (page, run) -> {
          if (files.get(Location.file(page))) {
            receiver.accept(page);
          }
          return true;
        });
  }

  /**
   * Locations that part the lines of a range into parts of about the same size, by location. With
   * more than one part, there is a location at least where the lines are in several pages.
   *
   * @param parts how many parts are wanted
   */
  List<Long> borders(long first, long last, int parts) {
    long[] counted = new long[1];
    eachPage(first, last, (page, lines) -> counted[0] += lines);
    long part = Math.max(1, counted[0] / parts);
    List<Long> borders = new ArrayList<>();
    long[] soFar = new long[1];
    long[] current = {first};
    eachPage(
        first,
        last,
        (page, lines) -> {
          boolean isNext = soFar[0] >= part * (borders.size() + 1) && borders.size() < parts - 1;
          if (isNext && page != current[0]) {
            borders.add(page);
          }
          current[0] = page;
          soFar[0] += lines;
        });
    return borders;
  }

  private interface PageVisitor {
    void visit(long page, int lines);
  }

  /** Hands out the pages of a range with how many lines they have, by location; some in pieces. */
  private void eachPage(long first, long last, PageVisitor visitor) {
    Deque<StoredLine> lines =
        hot.stream()
            .filter(line -> isBetween(line.location(), first, last))
            .collect(Collectors.toCollection(ArrayDeque::new));
    cold.visit(
        first,
        last,
        (page, run) -> {
          StoredLine next = lines.peek();
          while (next != null && Long.compareUnsigned(next.location(), page) < 0) {
            visitor.visit(ColdLines.page(next.location()), 1);
            lines.remove();
            next = lines.peek();
          }
          visitor.visit(page, run.count());
          return true;
        });
    lines.forEach(line -> visitor.visit(ColdLines.page(line.location()), 1));
  }
}
