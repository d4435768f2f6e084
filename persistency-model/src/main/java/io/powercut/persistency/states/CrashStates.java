// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a power cut at one point of a trace may leave: any combination of what each line
 * with something in flight may hold. Never changes; can be used by any thread, and after the trace
 * went on, as long as the files from whose trace it is are open.
 *
 * <p>There may be tens of millions of lines. What is to be bounded asks for a {@link #sample}, or
 * for states of which only the rule is kept.
 */
public final class CrashStates {
  /** No more lines than this are asked about one by one. */
  public static final int FEW_LINES = 1024;

  /** Only what program order leaves. */
  public static final CrashStates NONE = new CrashStates(StoredLines.NONE, false, true, -1, -1);

  private final StoredLines lines;
  private final boolean isCacheFlushed;
  private final boolean isNothingPersisted;
  private final long lastFixed;
  private final long lastFixedButGrowth;

  /** The last sample, if it is small: several policies ask for the same one. */
  private volatile @Nullable Sample sample;

  /** Of at most so many lines. */
  private record Sample(int most, List<InFlightLine> lines) {}

  /**
   * @param isCacheFlushed of {@link #isCacheFlushed()}
   * @param isNothingPersisted of {@link #isNothingPersisted()}
   * @param lastFixed the place in the trace of the last store or change that no state undoes
   * @param lastFixedButGrowth the same of those but the growth of files
   */
  private CrashStates(
      StoredLines lines,
      boolean isCacheFlushed,
      boolean isNothingPersisted,
      long lastFixed,
      long lastFixedButGrowth) {
    this.lines = lines;
    this.isCacheFlushed = isCacheFlushed;
    this.isNothingPersisted = isNothingPersisted;
    this.lastFixed = lastFixed;
    this.lastFixedButGrowth = lastFixedButGrowth;
  }

  /** What a power cut right now, behind the last record that a tracker got, may leave. */
  public static CrashStates of(CacheLineTracker tracker) {
    return new CrashStates(
        new StoredLines(tracker.inFlight()),
        tracker.isCacheFlushed(),
        tracker.isNothingPersisted(),
        Math.max(tracker.lastDeparted(), tracker.lastFileChange()),
        Math.max(tracker.lastDeparted(), tracker.lastChangeButGrowth()));
  }

  /**
   * Whether an instruction has persisted something by now: a flush of persistent memory, or a store
   * past the cache. Else the program leaves that to system calls.
   */
  public boolean isCacheFlushed() {
    return isCacheFlushed;
  }

  /**
   * Whether neither an instruction nor a system call has persisted something by now. Either may be
   * what the program persists with.
   */
  public boolean isNothingPersisted() {
    return isNothingPersisted;
  }

  /** The same in front of such an instruction. */
  public CrashStates inFrontOfFlush() {
    return isCacheFlushed
        ? this
        : new CrashStates(lines, true, false, lastFixed, lastFixedButGrowth);
  }

  /** Of how many lines something may be lost. */
  public long size() {
    return lines.size();
  }

  /** Whether nothing can be lost. */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** Whether the lines are so few that they can be asked about one by one. */
  public boolean isFew() {
    return size() <= FEW_LINES;
  }

  /** All lines of which something may be lost, by location; for few of them. */
  public List<InFlightLine> lines() {
    return sample(Integer.MAX_VALUE);
  }

  /**
   * Lines that stand for all of them: where there are too many, of each code whose store comes
   * first in a line the first line, the last one, the one that was stored to last, and some by
   * chance.
   *
   * @param most how many are too many; where more code has stored, a few more are taken
   * @return by location
   */
  public List<InFlightLine> sample(int most) {
    int least = size() <= most ? Integer.MAX_VALUE : most;
    Sample known = sample;
    if (known != null && known.most() == least) {
      return known.lines();
    }
    List<InFlightLine> found = List.copyOf(lines.sample(most));
    if (found.size() <= FEW_LINES) {
      sample = new Sample(least, found);
    }
    return found;
  }

  /** The line at a location, if something of it may be lost. */
  public Optional<InFlightLine> line(long location) {
    return lines.line(location).map(InFlightLine::of);
  }

  /** The numbers of the files that have such lines. */
  public IntSortedSet files() {
    IntSortedSet files = new IntAVLTreeSet();
    lines.files(0, StoredLines.LAST, files);
    return files;
  }

  /** The code that has stores in flight. */
  public Set<StoreCode> codes() {
    return lines.codes();
  }

  /** The code that made some of the stores in flight. */
  public Set<StoreCode> codesOf(Predicate<InFlightStore> wanted) {
    return lines.codes(wanted);
  }

  /**
   * False if stores had to be forgotten: then there are states that are not here. Those that are
   * here are possible in any case.
   */
  public boolean isComplete() {
    return forgotten() == 0;
  }

  /** How many stores are in flight and not known one by one any more. */
  public long forgotten() {
    return lines.forgotten();
  }

  /** How many different states there are, that of program order among them; for few lines. */
  public BigInteger count() {
    return lines().stream()
        .map(line -> BigInteger.valueOf(line.contents()))
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }

  /** All lost that can be. */
  public CrashState everythingLost() {
    return isFew()
        ? CrashState.of(lostLines())
        : CrashState.of(LostLines.all(lines, new LostLines.Rule.Everything()));
  }

  /** All lost that can be, but for some lines, which are as in program order. */
  public CrashState everythingLostBut(Set<Long> locations) {
    return isFew()
        ? CrashState.of(
            lostLines().stream().filter(line -> !locations.contains(line.location())).toList())
        : CrashState.of(LostLines.all(lines, new LostLines.Rule.Everything()).without(locations));
  }

  /** All lost that can be of the lines that some code stored to. */
  public CrashState everythingLostOf(Set<StoreCode> code) {
    CrashState all = CrashState.of(LostLines.all(lines, new LostLines.Rule.Everything()).of(code));
    return all.simple();
  }

  /** Of each line some of the last stores lost, or none, by chance: of very many lines. */
  CrashState lostByChance(long seed) {
    return CrashState.of(LostLines.all(lines, new LostLines.Rule.ByChance(seed)));
  }

  /**
   * All lost that was stored from some place of the trace on and can be lost.
   *
   * @param ordinal of {@link InFlightStore#ordinal}
   */
  public CrashState before(long ordinal) {
    return isFew()
        ? CrashState.of(
            lines().stream().map(line -> line.before(ordinal)).flatMap(Optional::stream).toList())
        : CrashState.of(LostLines.all(lines, new LostLines.Rule.Since(ordinal)));
  }

  /**
   * Only one store lost, in whatever lines it is, with what cannot persist without it.
   *
   * @param ordinal of {@link InFlightStore#ordinal}
   */
  public CrashState losing(long ordinal) {
    return isFew()
        ? CrashState.of(
            lines().stream().map(line -> line.losing(ordinal)).flatMap(Optional::stream).toList())
        : CrashState.of(LostLines.all(lines, new LostLines.Rule.OneStore(ordinal))).simple();
  }

  /**
   * Whether {@link #before} is what program order left at that place: nothing that was stored from
   * there on has persisted, and names and sizes of files are the same.
   *
   * @param ordinal of {@link InFlightStore#ordinal}
   */
  public boolean isProgramOrderBefore(long ordinal) {
    return lastFixed < ordinal;
  }

  /** The same, but for files that may be longer: what they had not yet reads as zeros. */
  public boolean isProgramOrderButGrowthBefore(long ordinal) {
    return lastFixedButGrowth < ordinal;
  }

  /** Every line of which something can be lost, with all of that lost; for few lines. */
  public List<LineDifference> lostLines() {
    return lines().stream().map(InFlightLine::guaranteed).flatMap(Optional::stream).toList();
  }

  /**
   * Whether a power cut may take a store away and leave another.
   *
   * @param lost of {@link InFlightStore#ordinal}; one that is guaranteed cannot be lost
   * @param there likewise, of one that was made; nothing if it does not matter what else is there
   */
  public boolean mayLose(long lost, OptionalLong there) {
    return lines().stream()
        .flatMap(
            line -> line.stores().stream().filter(one -> one.ordinal() == lost).map(line::losing))
        .anyMatch(
            loss ->
                there.isEmpty()
                    || loss.missing().stream()
                        .noneMatch(one -> one.ordinal() == there.getAsLong()));
  }

  /** Whether this state may be left: every line of it may hold what it holds there. */
  public boolean allows(CrashState state) {
    return state.differences().stream()
        .allMatch(
            wanted ->
                line(wanted.location()).filter(pending -> pending.allows(wanted)).isPresent());
  }
}
