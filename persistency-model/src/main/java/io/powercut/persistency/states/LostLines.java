// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.KeptLine;
import io.powercut.persistency.lines.StoreCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Very many lines of one moment that lost something, by a rule, so that none of them need be known
 * by itself. Never changes. Equal ones are of the same moment, lines and rule.
 *
 * @param lines of the moment
 * @param first the location of the first line that may have lost something
 * @param last the same of the last one
 * @param code only lines that one of each of these sets stored to
 * @param kept the locations of lines that lost nothing
 * @param rule what the lines lost
 */
record LostLines(
    StoredLines lines, long first, long last, Set<Set<StoreCode>> code, Set<Long> kept, Rule rule) {
  /** What a line loses. */
  sealed interface Rule {
    /** What a line holds then, as words. */
    long[] content(KeptLine line);

    /** Whether a line may hold something else than in program order then; not for certain. */
    default boolean mayChange(KeptLine line) {
      return true;
    }

    /** All that can be lost. */
    record Everything() implements Rule {
      @Override
      public long[] content(KeptLine line) {
        return line.guaranteed();
      }

      @Override
      public boolean mayChange(KeptLine line) {
        return line.changes();
      }
    }

    /**
     * All stores from a place of the trace on that can be lost.
     *
     * @param ordinal of {@link InFlightStore#ordinal}
     */
    record Since(long ordinal) implements Rule {
      @Override
      public long[] content(KeptLine line) {
        return InFlightLine.of(line).contentBefore(ordinal);
      }
    }

    /**
     * One store, in whatever lines it is, and what cannot persist without it.
     *
     * @param ordinal of {@link InFlightStore#ordinal}
     */
    record OneStore(long ordinal) implements Rule {
      @Override
      public long[] content(KeptLine line) {
        InFlightLine pending = InFlightLine.of(line);
        return pending
            .losing(ordinal)
            .map(LineDifference::words)
            .orElseGet(() -> pending.contentBefore(Long.MAX_VALUE));
      }

      @Override
      public boolean mayChange(KeptLine line) {
        return line.firstOrdinal() >= 0 && line.firstOrdinal() <= ordinal;
      }
    }

    /** Some of the last stores, or none: how many is by chance. */
    record ByChance(long seed) implements Rule {
      @Override
      public long[] content(KeptLine line) {
        InFlightLine pending = InFlightLine.of(line);
        List<InFlightStore> stores = pending.stores();
        // Of a block, all that a call zeroed is lost, or nothing.
        boolean isZeroed = stores.stream().anyMatch(InFlightStore::isZeroed);
        long place = isZeroed ? WholeBlocks.block(line.location()) : line.location();
        long chance = mix(seed ^ mix(place));
        int persisted = (int) Long.remainderUnsigned(chance, stores.size() + 1L);
        return persisted == stores.size()
            ? pending.contentBefore(Long.MAX_VALUE)
            : pending.contentBefore(stores.get(persisted).ordinal());
      }
    }
  }

  LostLines {
    code = Set.copyOf(code);
    kept = Set.copyOf(kept);
  }

  /** All lines of a moment. */
  static LostLines all(StoredLines lines, Rule rule) {
    return new LostLines(lines, 0, StoredLines.LAST, Set.of(), Set.of(), rule);
  }

  /** Is told what lines hold. */
  @FunctionalInterface
  interface Receiver {
    /**
     * A line that does not hold what it holds in program order, or may not.
     *
     * @param content as words
     * @return whether to go on
     */
    boolean take(KeptLine line, long[] content);
  }

  /** Hands out what the lines between two locations hold, in no order but by page. */
  void visit(long from, long to, Receiver receiver) {
    long begin = Long.compareUnsigned(from, first) > 0 ? from : first;
    long end = Long.compareUnsigned(to, last) < 0 ? to : last;
    if (Long.compareUnsigned(begin, end) > 0) {
      return;
    }
    lines.visit(
        begin,
        end,
        code.isEmpty() ? StoredLines.ANY_CODE : this::isWanted,
        line ->
            kept.contains(line.location())
                || !rule.mayChange(line)
                || receiver.take(line, rule.content(line)));
  }

  private boolean isWanted(Set<StoreCode> codes) {
    for (Set<StoreCode> some : code) { // asked of each line: streams cost more than the answer
      if (Collections.disjoint(some, codes)) {
        return false;
      }
    }
    return true;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long value) {
    long bits = (value + 1) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }

  /** The lines that do not hold what they hold in program order, until there are too many. */
  Optional<List<LineDifference>> differences(int most) {
    List<LineDifference> differences = new ArrayList<>();
    visit(
        0,
        StoredLines.LAST,
        (line, content) -> {
          LineDifference difference = InFlightLine.of(line).withContent(content);
          if (!difference.changesNothing()) {
            differences.add(difference);
          }
          return differences.size() <= most;
        });
    return differences.size() <= most ? Optional.of(differences) : Optional.empty();
  }

  /** Whether all is as in program order. */
  boolean changesNothing() {
    boolean[] nothing = {true};
    visit(
        0,
        StoredLines.LAST,
        (line, content) -> {
          nothing[0] = InFlightLine.of(line).withContent(content).changesNothing();
          return nothing[0];
        });
    return nothing[0];
  }

  /** The same lines in parts of about the same size, by location. */
  List<LostLines> parts(int number) {
    List<LostLines> parts = new ArrayList<>();
    long begin = first;
    for (long border : lines.borders(first, last, number)) {
      parts.add(new LostLines(lines, begin, border - 1, code, kept, rule));
      begin = border;
    }
    parts.add(new LostLines(lines, begin, last, code, kept, rule));
    return parts;
  }

  /** Only those lines that one of these stored to. */
  LostLines of(Set<StoreCode> wanted) {
    Set<Set<StoreCode>> all = new HashSet<>(code);
    all.add(Set.copyOf(wanted));
    return new LostLines(lines, first, last, all, kept, rule);
  }

  /** Without some lines. */
  LostLines without(Set<Long> locations) {
    Set<Long> all = new HashSet<>(kept);
    all.addAll(locations);
    return new LostLines(lines, first, last, code, all, rule);
  }
}
