// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds out, in a trace, which flush of a range of cache lines is too short: it ends right before
 * the line of a lost store, wherever that is lost, and had persisted it with one line more. It has
 * to be meant for such stores: at another time it flushes those of the same place as far from its
 * begin, or farther. Or it flushes small ones of the same place up to where the lost one begins.
 *
 * @param <S> a place that stores
 * @param <F> a place that says what is to be flushed
 */
public final class ShortFlushes<S, F> implements TraceConsumer {
  /** Beyond so many lines with stores that nothing flushes, no more of them are known. */
  private static final int MOST_LINES = 1 << 16;

  /** Of stores to one line. */
  private static final int MOST_PARTS = 64;

  /** Stores up to this size may be those of the elements of an array. */
  private static final int ELEMENT = 8;

  private final Function<StoreCode, Optional<S>> placeOfStore;
  private final Function<StoreCode, Optional<F>> placeOfFlush;
  private final Map<StoreCode, Optional<S>> stores = new HashMap<>();
  private final Map<StoreCode, Optional<F>> flushes = new HashMap<>();
  private final Set<S> asked = new HashSet<>();

  /** Some of them may be decided by now. */
  private final Deque<Loss<S>> undecided = new ArrayDeque<>();

  /** By the ordinal of the store, where it is not made yet. */
  private final Map<Long, List<Awaited<S>>> awaited = new HashMap<>();

  /** By line, where the store is made and not flushed yet. */
  private final Map<Long, OpenLine<S>> open = new HashMap<>();

  /** By what has to persist after them. */
  private final Map<Long, List<Loss<S>>> relied = new HashMap<>();

  /** By thread, what its next fence had persisted after a longer flush. */
  private final Map<Integer, List<Miss<S>>> unfenced = new HashMap<>();

  /** What the places that were asked for stored to a line since it was flushed. */
  private final Map<Long, Set<Stored<S>>> unflushed = new HashMap<>();

  private final Map<Meant<S, F>, Reach> reached = new HashMap<>();
  private final Map<Integer, Run> runs = new HashMap<>();

  /**
   * @param placeOfStore the place of code that stores; asked once of each
   * @param placeOfFlush the place of code that says what is to be flushed; asked once of each
   */
  public ShortFlushes(
      Function<StoreCode, Optional<S>> placeOfStore,
      Function<StoreCode, Optional<F>> placeOfFlush) {
    this.placeOfStore = placeOfStore;
    this.placeOfFlush = placeOfFlush;
  }

  /**
   * A store in one line.
   *
   * @param ordinal of the store
   * @param line its location
   */
  public record StoreInLine(long ordinal, long line) {}

  /**
   * A flush that is too short.
   *
   * @param code of its instruction
   * @param first location of the first byte that it flushes
   * @param last of the last one
   * @param missed of the first byte that it misses, of a store
   * @param size how many bytes the store has there
   */
  public record Range(StoreCode code, long first, long last, long missed, int size) {}

  /** Stores of one place that were lost together: without any of them, nothing is shown. */
  public static final class Loss<S> {
    private final S place;
    private final Set<Miss<S>> misses = new LinkedHashSet<>();
    private boolean isOver;

    private Loss(S place) {
      this.place = place;
    }

    /** The power is cut now. */
    public void cut() {
      isOver = true;
    }
  }

  /** A lost store that is not made yet, in one line. */
  private record Awaited<S>(Loss<S> loss, long line) {}

  /**
   * What was stored to one line, and lost; another store to the same bytes is the same.
   *
   * @param first location of the store's first byte
   * @param size of the store, which may be in other lines, too
   */
  private record Part<S>(Loss<S> loss, long line, long first, int size) {}

  /** Stores to one line since it was flushed last. */
  private static final class OpenLine<S> {
    private final Set<Part<S>> known = new HashSet<>();
    private final List<Part<S>> parts = new ArrayList<>();

    /** How many of them the flushes of a thread up to this line are known to miss. */
    private final Map<Flush, Integer> missing = new HashMap<>();

    void add(Part<S> part) {
      if (known.add(part)) {
        parts.add(part);
      }
    }

    /** What a flush misses that no other like it did: each may come very often. */
    List<Part<S>> newlyMissedBy(Flush flush) {
      Integer before = missing.put(flush, parts.size());
      return parts.subList(before == null ? 0 : before, parts.size());
    }
  }

  /** A flush from one place of code. */
  private record Flush(int thread, StoreCode code, FlushKind kind, long first) {}

  /**
   * A flush that ends right before the line of a store, and had persisted it.
   *
   * @param code of its instruction
   * @param first location of the first line that it flushes
   */
  private record Miss<S>(Part<S> part, StoreCode code, long first) {
    void add() {
      if (!part.loss.isOver) {
        part.loss.misses.add(this);
      }
    }

    Range range() {
      long missed = Math.max(part.first, part.line);
      long end = Math.min(part.first + part.size, part.line + LineWords.LINE);
      return new Range(code, first, part.line - 1, missed, (int) (end - missed));
    }

    long lines() {
      return (part.line - first) / LineWords.LINE;
    }
  }

  private record Stored<S>(S place, long first, int size) {}

  /** A flush of stores. */
  private record Meant<S, F>(S store, F flush) {}

  /** How far a flush goes. */
  private static final class Reach {
    private long lines;

    /** Where small stores end, from the first line on. */
    private final Set<Long> ends = new HashSet<>();

    boolean has(Miss<?> miss) {
      Part<?> part = miss.part();
      return lines > miss.lines()
          || (part.size <= ELEMENT && ends.contains(part.first - miss.first()));
    }
  }

  /** Lines next to one another that an instruction flushes, with nothing in between. */
  private static final class Run {
    private final StoreCode code;
    private final FlushKind kind;
    private final long first;
    private long last;

    Run(StoreCode code, FlushKind kind, long line) {
      this.code = code;
      this.kind = kind;
      this.first = line;
      this.last = line;
    }

    boolean takes(StoreCode next, long line) {
      return code.equals(next) && line == last + LineWords.LINE;
    }

    long lines() {
      return (last - first) / LineWords.LINE + 1;
    }
  }

  /**
   * Of one more loss, which has to be told of the {@linkplain Loss#cut power cut}.
   *
   * @param place that made the stores
   * @param lost the stores
   * @param early the ordinal of what has to persist after them
   */
  public Loss<S> ask(S place, Collection<StoreInLine> lost, OptionalLong early) {
    Loss<S> loss = new Loss<>(place);
    for (StoreInLine store : lost) {
      awaited
          .computeIfAbsent(store.ordinal(), none -> new ArrayList<>())
          .add(new Awaited<>(loss, store.line()));
    }
    early.ifPresent(one -> relied.computeIfAbsent(one, none -> new ArrayList<>()).add(loss));
    undecided.add(loss);
    asked.add(place);
    return loss;
  }

  /** Whether nothing that comes can change the answers. */
  public boolean areDecided() {
    while (!undecided.isEmpty() && isDecided(undecided.getFirst())) {
      undecided.removeFirst();
    }
    return undecided.isEmpty();
  }

  private boolean isDecided(Loss<S> loss) {
    return loss.isOver && loss.misses.stream().allMatch(this::isMeant);
  }

  /**
   * The flush that is too short for all of these.
   *
   * @param losses what it misses is said of the first
   * @return nothing if there is none, or several
   */
  public Optional<Range> of(List<Loss<S>> losses) {
    Map<F, Range> ranges = losses.isEmpty() ? Map.of() : ranges(losses.get(0));
    losses.forEach(loss -> ranges.keySet().retainAll(ranges(loss).keySet()));
    return ranges.size() == 1 ? ranges.values().stream().findFirst() : Optional.empty();
  }

  private Map<F, Range> ranges(Loss<S> loss) {
    Map<F, Range> ranges = new LinkedHashMap<>();
    loss.misses.stream()
        .filter(this::isMeant)
        .forEach(miss -> place(miss.code()).ifPresent(at -> ranges.putIfAbsent(at, miss.range())));
    return ranges;
  }

  private boolean isMeant(Miss<S> miss) {
    return place(miss.code())
        .map(flush -> reached.get(new Meant<>(miss.part().loss.place, flush)))
        .filter(reach -> reach.has(miss))
        .isPresent();
  }

  private Optional<F> place(StoreCode flush) {
    return flushes.computeIfAbsent(flush, placeOfFlush);
  }

  @Override
  public void store(StoreRecord store) {
    if (asked.isEmpty()) {
      return;
    }
    end(store.thread());
    relied.getOrDefault(store.ordinal(), List.of()).forEach(Loss::cut);
    for (Awaited<S> one : awaited.getOrDefault(store.ordinal(), List.of())) {
      open.computeIfAbsent(one.line(), none -> new OpenLine<>())
          .add(new Part<>(one.loss(), one.line(), store.location(), store.size()));
    }
    stores
        .computeIfAbsent(StoreCode.of(store.stack(), store.site()), placeOfStore)
        .filter(asked::contains)
        .ifPresent(place -> add(place, store));
  }

  private void add(S place, StoreRecord store) {
    long end = store.location() + store.size();
    for (long line = lineOf(store.location()); line < end; line += LineWords.LINE) {
      if (unflushed.size() < MOST_LINES || unflushed.containsKey(line)) {
        Set<Stored<S>> parts = unflushed.computeIfAbsent(line, none -> new HashSet<>());
        if (parts.size() < MOST_PARTS) {
          parts.add(new Stored<>(place, store.location(), store.size()));
        }
      }
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    if (asked.isEmpty() || Location.isVolatile(location)) {
      return;
    }
    long line = lineOf(location);
    StoreCode code = StoreCode.of(stack, site);
    Run run = runs.get(thread);
    if (run != null && run.takes(code, line)) {
      run.last = line;
    } else {
      end(thread);
      run = new Run(code, kind, line);
      runs.put(thread, run);
    }
    open.remove(line);
    Set<Stored<S>> flushed = unflushed.remove(line);
    if (flushed != null) {
      reach(run, flushed);
    }
  }

  private void reach(Run run, Set<Stored<S>> flushed) {
    Optional<F> flush = place(run.code);
    if (flush.isPresent()) {
      for (Stored<S> store : flushed) {
        Reach reach =
            reached.computeIfAbsent(new Meant<>(store.place(), flush.get()), none -> new Reach());
        reach.lines = Math.max(reach.lines, run.lines());
        if (store.size() <= ELEMENT) {
          reach.ends.add(store.first() + store.size() - run.first);
        }
      }
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    end(thread);
    List<Miss<S>> missed = unfenced.remove(thread);
    if (missed != null) {
      missed.forEach(Miss::add);
    }
  }

  /** What a thread flushes with one call ends. */
  private void end(int thread) {
    Run run = runs.remove(thread);
    OpenLine<S> behind = run == null ? null : open.get(run.last + LineWords.LINE);
    if (run == null || behind == null) {
      return;
    }
    for (Part<S> part : behind.newlyMissedBy(new Flush(thread, run.code, run.kind, run.first))) {
      Miss<S> miss = new Miss<>(part, run.code, run.first);
      if (run.kind == FlushKind.CLFLUSH) {
        miss.add();
      } else {
        unfenced.computeIfAbsent(thread, none -> new ArrayList<>()).add(miss);
      }
    }
  }

  private static long lineOf(long location) {
    return location - location % LineWords.LINE;
  }
}
