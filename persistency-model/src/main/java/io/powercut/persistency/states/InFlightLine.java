// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import com.google.common.base.Suppliers;
import com.google.common.collect.Lists;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.KeptLine;
import io.powercut.persistency.lines.StoredLine;
import io.powercut.persistency.ranges.LineWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A cache line of which a power cut at one point of the trace may lose something, and what it may
 * hold then. Never changes; can be used by any thread.
 */
public final class InFlightLine {
  private static final long ALL_BYTES = -1;

  private final long location;
  private final long[] guaranteed;
  private final long[] start;
  private final List<InFlightStore> stores;
  private final int forgotten;
  private final BitSet flushed;
  private final Supplier<LineSpace> space;
  private final Supplier<DistinctContents> contents;
  private final Supplier<Long> open;

  /**
   * A line.
   *
   * @param guaranteed what it holds when everything is lost that can be
   * @param start what it holds without the stores; something else than {@code guaranteed} when
   *     stores before them were forgotten
   * @param flushed by store, whether a fence is all that it waits for
   */
  public InFlightLine(
      long location,
      long[] guaranteed,
      long[] start,
      List<InFlightStore> stores,
      int forgotten,
      BitSet flushed) {
    this.location = location;
    this.guaranteed = guaranteed;
    this.start = start;
    this.stores = stores;
    this.forgotten = forgotten;
    this.flushed = flushed;
    this.space = Suppliers.memoize(() -> new LineSpace(start, stores));
    this.open = Suppliers.memoize(() -> forgotten > 0 ? ALL_BYTES : space.get().open());
    this.contents = Suppliers.memoize(() -> new DistinctContents(choices(ALL_BYTES)));
  }

  /** What may become of a line. */
  static InFlightLine of(KeptLine kept) {
    StoredLine line = kept.stored();
    return new InFlightLine(
        line.location(),
        line.guaranteed(),
        line.start(),
        line.stores(),
        line.forgotten(),
        line.flushed());
  }

  private List<long[][]> choices(long bytes) {
    List<long[][]> choices = new ArrayList<>(space.get().choices(bytes));
    if (forgotten > 0) {
      long[][] lost = new long[LineWords.UNITS][];
      Arrays.setAll(lost, unit -> new long[] {guaranteed[unit] & LineWords.bits(bytes, unit)});
      choices.add(lost);
    }
    return choices;
  }

  /** The {@link io.powercut.trace.Location} of its first byte. */
  public long location() {
    return location;
  }

  /** The stores that can be lost, in order; those of which a part is guaranteed without it. */
  public List<InFlightStore> stores() {
    return stores;
  }

  /**
   * Whether a fence is all that a store waits for: its line was flushed behind it, or it went past
   * the cache. Else there was no flush at all.
   *
   * @param store one of the line's, or what is missing of one
   */
  public boolean isFlushed(InFlightStore store) {
    return IntStream.range(0, stores.size())
        .anyMatch(index -> stores.get(index).ordinal() == store.ordinal() && flushed.get(index));
  }

  /**
   * Whether a part of a store of which this is missing did persist.
   *
   * @param missing of {@link LineDifference#missing}
   */
  public boolean isTorn(InFlightStore missing) {
    return stores.stream()
        .anyMatch(
            store -> store.ordinal() == missing.ordinal() && store.bytes() != missing.bytes());
  }

  /**
   * The difference that makes the line hold this.
   *
   * @param content 64 bytes
   * @return empty if the line cannot hold it, or does in program order
   */
  public Optional<LineDifference> holding(byte[] content) {
    long[] words = LineWords.of(content);
    boolean isPossible =
        Arrays.equals(words, guaranteed) || space.get().positions(words, ALL_BYTES).isPresent();
    return isPossible ? difference(words) : Optional.empty();
  }

  /** How many more stores came before {@link #stores} and are not known one by one any more. */
  public int forgotten() {
    return forgotten;
  }

  /**
   * How many different contents the line may have, that of program order among them; less than 2 to
   * the power of 62.
   */
  public long contents() {
    return contents.get().count();
  }

  /**
   * One of the contents.
   *
   * @param number from 0 to {@link #contents()}, exclusive
   * @return empty for that of program order
   */
  public Optional<LineDifference> content(long number) {
    Objects.checkIndex(number, contents());
    return difference(contents.get().get(number));
  }

  /** What the line holds when nothing is lost. */
  public LineDifference programOrder() {
    return at(space.get().end());
  }

  /**
   * What the line may hold as far as some bytes go.
   *
   * @param bytes a bit for each, the lowest for the first
   */
  public PartialContents contents(long bytes) {
    return new PartialContents(this, bytes, new DistinctContents(choices(bytes)));
  }

  /**
   * The bytes that may hold something else than in program order: a bit for each, the lowest for
   * the first. All of them if something was forgotten.
   */
  public long open() {
    return open.get();
  }

  /**
   * The content that has some bytes in common with another one, with as few losses as possible.
   *
   * @param bytes a bit for each
   * @param content which the line may have as far as these bytes go
   */
  LineDifference holding(long bytes, long[] content) {
    return space
        .get()
        .positions(content, bytes)
        .map(this::at)
        .orElseGet(this::everythingLost); // Positions do not tell what was forgotten.
  }

  /**
   * What the line holds when everything is lost that can be.
   *
   * @return empty if that is what it holds in program order
   */
  public Optional<LineDifference> guaranteed() {
    return difference(guaranteed);
  }

  /** What was forgotten is lost, too, which positions do not tell. */
  private LineDifference everythingLost() {
    return new LineDifference(this, new int[LineWords.UNITS], guaranteed);
  }

  /**
   * What the line holds when all is lost that was stored from some place of the trace on. What is
   * guaranteed is there in any case.
   *
   * @param ordinal of {@link InFlightStore#ordinal}
   * @return empty if that is what it holds in program order
   */
  Optional<LineDifference> before(long ordinal) {
    return difference(contentBefore(ordinal));
  }

  /** Whether the line's stores are in order, and none was forgotten. */
  boolean isKnown() {
    return forgotten == 0 && stores.stream().noneMatch(InFlightStore::isNonTemporal);
  }

  /**
   * The line with nothing there that was stored from some place of the trace on, and some bytes in
   * common with a content; as few others lost as possible.
   *
   * @param bytes a bit for each
   * @return nothing if it cannot hold that
   */
  Optional<LineDifference> holdingBefore(long ordinal, long bytes, long[] content) {
    List<InFlightStore> earlier =
        stores.stream().filter(store -> store.ordinal() < ordinal).toList();
    LineSpace before = new LineSpace(start, earlier);
    return before.positions(content, bytes).map(before::content).map(this::withContent);
  }

  /** The content itself. */
  long[] contentBefore(long ordinal) {
    long[] content = start.clone();
    for (InFlightStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS && store.ordinal() < ordinal; unit++) {
        content[unit] = store.applied(content[unit], unit);
      }
    }
    return content;
  }

  /** Whether another history of the line, at the same point of the trace, leaves the same. */
  public boolean isLike(InFlightLine other) {
    if (stores.size() != other.stores.size()
        || forgotten != other.forgotten
        || !Arrays.equals(guaranteed, other.guaranteed)) {
      return false;
    }
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore mine = stores.get(index);
      InFlightStore others = other.stores.get(index);
      if (mine.ordinal() != others.ordinal() || mine.bytes() != others.bytes()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the line may hold what another history of it may leave, by the same stores.
   *
   * @param other of a line at the same location and the same point of the trace
   */
  public boolean allows(LineDifference other) {
    long[] content = LineWords.of(other.bytes());
    return space.get().positions(content, ALL_BYTES).isPresent()
        || (forgotten > 0 && Arrays.equals(content, guaranteed));
  }

  /**
   * What the line holds when the stores from some point on are lost, from the guaranteed content up
   * to but not including that of program order: each content once, with as few losses as lead to
   * it. A store that is wider than 8 bytes is cut between its units, in the order of their
   * addresses.
   */
  public List<LineDifference> prefixes() {
    return prefixes(Integer.MAX_VALUE).orElseThrow();
  }

  /**
   * The {@link #prefixes()}, if they are few; faster when they are many.
   *
   * @param most how many are few
   */
  Optional<List<LineDifference>> prefixes(int most) {
    Set<LineDifference> prefixes = new LinkedHashSet<>();
    for (LineDifference step : Lists.reverse(steps())) {
      if (!step.changesNothing() && prefixes.add(step) && prefixes.size() > most) {
        return Optional.empty();
      }
    }
    return Optional.of(
        Lists.reverse(List.copyOf(prefixes)).stream()
            .flatMap(step -> difference(LineWords.of(step.bytes())).stream())
            .toList());
  }

  /** The {@linkplain #prefixes() prefix} that loses the fewest stores, if there is one. */
  public Optional<LineDifference> lastPrefix() {
    return Lists.reverse(steps()).stream().filter(step -> !step.changesNothing()).findFirst();
  }

  /** How many {@link #prefixes()} there are at most: as many as {@link #steps()}. */
  long mostPrefixes() {
    long steps = forgotten > 0 ? 1 : 0;
    for (InFlightStore store : stores) {
      steps += units(store.bytes());
    }
    return steps;
  }

  /** How many {@link #tears()} there are at most. */
  long mostTears() {
    long tears = 0;
    for (int first = 0; first < stores.size(); ) {
      int end = endOfInstruction(first);
      long bytes = 0;
      for (InFlightStore store : stores.subList(first, end)) {
        bytes |= store.bytes();
      }
      tears += units(bytes) > 1 ? units(bytes) : 0;
      first = end;
    }
    return tears;
  }

  private static int units(long bytes) {
    int units = 0;
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      units += (bytes & LineWords.unit(unit)) != 0 ? 1 : 0;
    }
    return units;
  }

  /**
   * How losses end, one step for each 8-byte unit of each store: first everything is lost that can
   * be, at last only the last unit of the last store. Unlike {@link #prefixes} these are places in
   * the order of the stores, so some may have equal contents, or that of program order.
   */
  public List<LineDifference> steps() {
    List<LineDifference> steps = new ArrayList<>();
    if (forgotten > 0) {
      steps.add(everythingLost());
    }
    space.get().steps().forEach(positions -> steps.add(at(positions)));
    return steps;
  }

  /**
   * The line with nothing lost but some of a store, and what x86 loses with it: later stores to its
   * units, and of a cached store all later cached ones of the line.
   *
   * @param store one of {@link #stores}, or what is {@linkplain LineDifference#missing missing} of
   *     one
   */
  public LineDifference losing(InFlightStore store) {
    return at(space.get().losing(store));
  }

  /**
   * The same for the store of a place of the trace.
   *
   * @param ordinal of {@link InFlightStore#ordinal}
   * @return nothing if none in this line is from there
   */
  public Optional<LineDifference> losing(long ordinal) {
    return stores.stream()
        .filter(store -> store.ordinal() == ordinal)
        .findFirst()
        .map(this::losing);
  }

  /**
   * What the line would hold right after a later store if the two had been made in the other order:
   * all up to that one is there but for the earlier store, also what in fact cannot persist before
   * it.
   *
   * @param store one of {@link #stores}
   * @param later another one of them
   */
  public LineDifference inOtherOrder(InFlightStore store, InFlightStore later) {
    long[] content = start.clone();
    for (InFlightStore other : stores) {
      boolean isThere = other.ordinal() <= later.ordinal() && other.ordinal() != store.ordinal();
      for (int unit = 0; unit < LineWords.UNITS && isThere; unit++) {
        content[unit] = other.applied(content[unit], unit);
      }
    }
    return new LineDifference(this, space.get().losing(store), content);
  }

  private LineDifference at(int[] positions) {
    return new LineDifference(this, positions, space.get().content(positions));
  }

  /**
   * What the line holds when one unit of a store that is wider than 8 bytes, or of a string
   * instruction, is lost and all the rest of it persisted, and what came to the line behind it is
   * lost. Each once; some are {@link #prefixes} as well.
   */
  public List<LineDifference> tears() {
    Set<LineDifference> tears = new LinkedHashSet<>();
    long[] before = start.clone();
    for (int first = 0; first < stores.size(); ) {
      int end = endOfInstruction(first);
      long[] after = before.clone();
      long bytes = 0;
      for (InFlightStore store : stores.subList(first, end)) {
        for (int unit = 0; unit < LineWords.UNITS; unit++) {
          after[unit] = store.applied(after[unit], unit);
        }
        bytes |= store.bytes();
      }
      addTears(before, after, bytes, tears);
      before = after;
      first = end;
    }
    return List.copyOf(tears);
  }

  private int endOfInstruction(int first) {
    InFlightStore store = stores.get(first);
    int end = first + 1;
    while (end < stores.size()
        && !store.isNonTemporal()
        && !stores.get(end).isNonTemporal()
        && stores.get(end).group() == store.group()) {
      end++;
    }
    return end;
  }

  private void addTears(long[] before, long[] after, long bytes, Set<LineDifference> tears) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      boolean isTouched = (bytes & LineWords.unit(unit)) != 0;
      boolean isAll = (bytes & ~LineWords.unit(unit)) == 0;
      if (isTouched && !isAll) {
        long[] torn = after.clone();
        torn[unit] = before[unit];
        difference(torn).ifPresent(tears::add);
      }
    }
  }

  private Optional<LineDifference> difference(long[] content) {
    return different(withContent(content));
  }

  /** The line with a content that it may have, with as few losses as lead to it. */
  LineDifference withContent(long[] content) {
    int[] positions =
        space.get().positions(content, ALL_BYTES).orElseGet(() -> new int[LineWords.UNITS]);
    return new LineDifference(this, positions, content);
  }

  private static Optional<LineDifference> different(LineDifference difference) {
    return difference.changesNothing() ? Optional.empty() : Optional.of(difference);
  }

  boolean isProgramOrder(long[] content) {
    return space.get().isProgramOrder(content);
  }

  boolean isPrefix(int[] positions) {
    return space.get().isPrefix(positions);
  }

  List<InFlightStore> missing(int[] positions) {
    return space.get().missing(positions);
  }

  LineDifference restoring(int[] positions, InFlightStore store) {
    return at(space.get().restoring(positions, store));
  }
}
