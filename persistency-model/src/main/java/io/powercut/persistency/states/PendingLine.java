package io.powercut.persistency.states;

import com.google.common.base.Suppliers;
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
public final class PendingLine {
  private final long location;
  private final long[] guaranteed;
  private final long[] start;
  private final List<PendingStore> stores;
  private final int forgotten;
  private final BitSet flushed;
  private final Supplier<LineSpace> space;
  private final Supplier<DistinctContents> contents;

  /**
   * A line.
   *
   * @param guaranteed what it holds when everything is lost that can be
   * @param start what it holds without the stores; something else than {@code guaranteed} when
   *     stores before them were forgotten
   * @param flushed by store, whether a fence is all that it waits for
   */
  PendingLine(
      long location,
      long[] guaranteed,
      long[] start,
      List<PendingStore> stores,
      int forgotten,
      BitSet flushed) {
    this.location = location;
    this.guaranteed = guaranteed;
    this.start = start;
    this.stores = stores;
    this.forgotten = forgotten;
    this.flushed = flushed;
    this.space = Suppliers.memoize(() -> new LineSpace(start, stores));
    this.contents = Suppliers.memoize(() -> new DistinctContents(choices()));
  }

  private List<long[][]> choices() {
    List<long[][]> choices = new ArrayList<>(space.get().choices());
    if (forgotten > 0) {
      choices.add(
          Arrays.stream(guaranteed).mapToObj(word -> new long[] {word}).toArray(long[][]::new));
    }
    return choices;
  }

  /** The {@link io.powercut.instrumentation.trace.Location} of its first byte. */
  public long location() {
    return location;
  }

  /** The stores that can be lost, in order; those of which a part is guaranteed without it. */
  public List<PendingStore> stores() {
    return stores;
  }

  /**
   * Whether a fence is all that a store waits for: its line was flushed behind it, or it went past
   * the cache. Else there was no flush at all.
   *
   * @param store one of the line's, or what is missing of one
   */
  public boolean isFlushed(PendingStore store) {
    return IntStream.range(0, stores.size())
        .anyMatch(index -> stores.get(index).ordinal() == store.ordinal() && flushed.get(index));
  }

  /**
   * Whether a part of a store of which this is missing did persist.
   *
   * @param missing of {@link LineDifference#missing}
   */
  public boolean isTorn(PendingStore missing) {
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
    boolean isPossible = Arrays.equals(words, guaranteed) || space.get().missing(words).isPresent();
    return isPossible ? difference(words) : Optional.empty();
  }

  /** How many more stores came before {@link #stores} and are not known one by one any more. */
  public int forgotten() {
    return forgotten;
  }

  /**
   * How many different contents the line may have, that of program order among them; less than 2 to
   * the power of 57.
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

  /**
   * What the line holds when everything is lost that can be.
   *
   * @return empty if that is what it holds in program order
   */
  public Optional<LineDifference> guaranteed() {
    return difference(guaranteed);
  }

  /**
   * What the line holds when all is lost that was stored from some place of the trace on. What is
   * guaranteed is there in any case.
   *
   * @param ordinal of {@link PendingStore#ordinal}
   * @return empty if that is what it holds in program order
   */
  Optional<LineDifference> before(long ordinal) {
    long[] content = start.clone();
    for (PendingStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS && store.ordinal() < ordinal; unit++) {
        content[unit] = store.applied(content[unit], unit);
      }
    }
    return difference(content);
  }

  /** Whether another history of the line, at the same point of the trace, leaves the same. */
  boolean isLike(PendingLine other) {
    if (stores.size() != other.stores.size()
        || forgotten != other.forgotten
        || !Arrays.equals(guaranteed, other.guaranteed)) {
      return false;
    }
    for (int index = 0; index < stores.size(); index++) {
      PendingStore mine = stores.get(index);
      PendingStore others = other.stores.get(index);
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
    return space.get().missing(content).isPresent()
        || (forgotten > 0 && Arrays.equals(content, guaranteed));
  }

  /**
   * What the line holds when the stores from some point on are lost, from the guaranteed content up
   * to but not including that of program order, each once. A store that is wider than 8 bytes is
   * cut between its units, in the order of their addresses.
   */
  public List<LineDifference> prefixes() {
    Set<LineDifference> prefixes = new LinkedHashSet<>();
    guaranteed().ifPresent(prefixes::add);
    long[] content = start.clone();
    difference(content.clone()).ifPresent(prefixes::add);
    for (PendingStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (store.touches(unit)) {
          content[unit] = store.applied(content[unit], unit);
          difference(content.clone()).ifPresent(prefixes::add);
        }
      }
    }
    return List.copyOf(prefixes);
  }

  /**
   * What the line holds when one unit of a store that is wider than 8 bytes is lost and all the
   * rest of it persisted, and what came to the line behind the store is lost. Each once; some are
   * {@link #prefixes} as well.
   */
  public List<LineDifference> tears() {
    Set<LineDifference> tears = new LinkedHashSet<>();
    long[] before = start.clone();
    for (PendingStore store : stores) {
      long[] after = before.clone();
      int units = 0;
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        after[unit] = store.applied(before[unit], unit);
        units += store.touches(unit) ? 1 : 0;
      }
      for (int unit = 0; units > 1 && unit < LineWords.UNITS; unit++) {
        if (store.touches(unit)) {
          long[] torn = after.clone();
          torn[unit] = before[unit];
          difference(torn).ifPresent(tears::add);
        }
      }
      before = after;
    }
    return List.copyOf(tears);
  }

  private Optional<LineDifference> difference(long[] content) {
    return space.get().isProgramOrder(content)
        ? Optional.empty()
        : Optional.of(new LineDifference(this, content));
  }

  /** The parts of stores that did not persist when the line holds this, as few as possible. */
  List<PendingStore> missing(long[] content) {
    return space.get().missing(content).orElse(stores);
  }
}
