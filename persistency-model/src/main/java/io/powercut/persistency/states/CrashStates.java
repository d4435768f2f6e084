package io.powercut.persistency.states;

import com.google.common.collect.ImmutableList;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a power cut at one point of a trace may leave: any combination of what each of
 * these lines may hold. Never changes; can be used by any thread, and after the trace went on.
 *
 * @param lines those of which something may be lost, by location
 * @param hasAllLines false if lines had to be forgotten: then something may be lost of others, too
 */
public record CrashStates(List<PendingLine> lines, boolean hasAllLines) {
  public CrashStates {
    lines = ImmutableList.copyOf(lines);
  }

  /**
   * False if stores had to be forgotten: then there are states that are not here. Those that are
   * here are possible in any case.
   */
  public boolean isComplete() {
    return hasAllLines && lines.stream().allMatch(line -> line.forgotten() == 0);
  }

  /** How many different states there are, that of program order among them. */
  public BigInteger count() {
    return lines.stream()
        .map(line -> BigInteger.valueOf(line.contents()))
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }

  /**
   * All lost that was stored from some place of the trace on and can be lost. Where nothing of it
   * was guaranteed meanwhile, that is what program order left at that place.
   *
   * @param ordinal of {@link PendingStore#ordinal}
   */
  public CrashState before(long ordinal) {
    return CrashState.of(
        lines.stream().map(line -> line.before(ordinal)).flatMap(Optional::stream).toList());
  }

  /** Every line of which something can be lost, with all of that lost. */
  public List<LineDifference> lostLines() {
    return lines.stream().map(PendingLine::guaranteed).flatMap(Optional::stream).toList();
  }
}
