package io.powercut.persistency.states;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What a power cut may leave, as its differences to the state of program order at the same point.
 * Equal states of one point have equal contents. Never changes.
 */
public final class CrashState {
  private final ImmutableList<LineDifference> differences;
  private final int hash;

  private CrashState(ImmutableList<LineDifference> differences) {
    this.differences = differences;
    this.hash = differences.hashCode();
  }

  /**
   * The state with these differences and no others. Lines do not depend on each other, so any
   * selection of the differences of possible states of one point is a possible state.
   *
   * @throws IllegalArgumentException if two are of the same line
   */
  public static CrashState of(Collection<LineDifference> differences) {
    ImmutableList<LineDifference> sorted =
        ImmutableList.sortedCopyOf(Comparator.comparingLong(LineDifference::location), differences);
    for (int index = 1; index < sorted.size(); index++) {
      if (sorted.get(index).location() == sorted.get(index - 1).location()) {
        throw new IllegalArgumentException("two contents of one line: " + sorted.get(index));
      }
    }
    return new CrashState(sorted);
  }

  /** The lines that are not as in program order, by location. */
  public List<LineDifference> differences() {
    return differences;
  }

  /** Whether nothing is lost. */
  public boolean isProgramOrder() {
    return differences.isEmpty();
  }

  /** The stores that did not persist, or parts of them, by line and then in order. */
  public List<PendingStore> missing() {
    return differences.stream().flatMap(line -> line.missing().stream()).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrashState state && state.differences.equals(differences);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return differences.toString();
  }
}
