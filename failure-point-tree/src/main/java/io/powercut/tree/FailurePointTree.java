// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All failure points of a program, each unique call stack once (Mumak, section 4.1).
 *
 * <p>Leaves are kept by identity, frames are shared between stacks; the tree's inner nodes are made
 * when it is drawn ({@link TreeDrawing}). Safe for use by several threads.
 */
public final class FailurePointTree {
  private final String program;
  private final Granularity granularity;
  private final ExcludedFunctions excluded;
  private final Map<FailurePointId, Leaf> leaves = new LinkedHashMap<>();
  private int visited;

  /**
   * An empty tree.
   *
   * @param program the name of the binary: the root when the tree is drawn
   */
  public FailurePointTree(String program, Granularity granularity, ExcludedFunctions excluded) {
    this.program = requireNonNull(program, "program is null");
    this.granularity = requireNonNull(granularity, "granularity is null");
    this.excluded = requireNonNull(excluded, "excluded is null");
  }

  /** The name of the binary. */
  public String program() {
    return program;
  }

  /** Which instructions were candidates. */
  public Granularity granularity() {
    return granularity;
  }

  /** The functions that were left out. */
  public ExcludedFunctions excluded() {
    return excluded;
  }

  /**
   * Counts one occurrence of the failure point at the stack, adding it when it is new.
   *
   * @param ordinal the ordinal of the trace record, from 0; kept when the leaf is new
   * @return whether the leaf is new
   * @throws FailurePointCollisionException when another stack has the same identity
   * @throws IllegalArgumentException when the stack is excluded
   */
  public synchronized boolean reach(CallStack stack, Instruction instruction, long ordinal) {
    Leaf leaf = leaves.get(stack.id());
    if (leaf == null) {
      if (excluded.exclude(stack)) {
        throw new IllegalArgumentException("the stack is excluded: " + stack);
      }
      add(new FailurePoint(stack, instruction, 1, ordinal, false));
      return true;
    }
    requireSameStack(leaf.stack, stack);
    leaf.occurrences++;
    return false;
  }

  /**
   * Adds a leaf with all its counts, as read from a file.
   *
   * @throws FailurePointCollisionException when another stack has the same identity
   * @throws IllegalArgumentException when this stack is in the tree already
   */
  synchronized void add(FailurePoint failurePoint) {
    Leaf known = leaves.get(failurePoint.id());
    if (known != null) {
      requireSameStack(known.stack, failurePoint.stack());
      throw new IllegalArgumentException(
          "failure point " + failurePoint.id() + " is already in the tree");
    }
    leaves.put(failurePoint.id(), new Leaf(failurePoint));
    if (failurePoint.visited()) {
      visited++;
    }
  }

  /**
   * Takes over a leaf of another tree of the same program: a new one with all its counts, of a
   * known one only that it was visited.
   *
   * @throws FailurePointCollisionException when another stack has the same identity
   */
  public synchronized void merge(FailurePoint failurePoint) {
    Leaf known = leaves.get(failurePoint.id());
    if (known == null) {
      add(failurePoint);
      return;
    }
    requireSameStack(known.stack, failurePoint.stack());
    if (failurePoint.visited()) {
      visit(failurePoint.id());
    }
  }

  private static void requireSameStack(CallStack known, CallStack reached) {
    if (!known.equals(reached)) {
      throw new FailurePointCollisionException(known, reached);
    }
  }

  /**
   * Marks a leaf as visited.
   *
   * @return whether it was unvisited
   * @throws NoSuchElementException when the tree has no such leaf
   */
  public synchronized boolean visit(FailurePointId id) {
    Leaf leaf = leaf(id);
    if (leaf.visited) {
      return false;
    }
    leaf.visited = true;
    visited++;
    return true;
  }

  /**
   * Takes the mark of a leaf away, so that it is visited again.
   *
   * @throws NoSuchElementException when the tree has no such leaf
   */
  public synchronized void forgetVisit(FailurePointId id) {
    Leaf leaf = leaf(id);
    if (leaf.visited) {
      leaf.visited = false;
      visited--;
    }
  }

  private Leaf leaf(FailurePointId id) {
    @Nullable Leaf leaf = leaves.get(id);
    if (leaf == null) {
      throw new NoSuchElementException("the tree of " + program + " has no failure point " + id);
    }
    return leaf;
  }

  /** The leaf of that identity as it is now. */
  public synchronized Optional<FailurePoint> find(FailurePointId id) {
    return Optional.ofNullable(leaves.get(id)).map(Leaf::snapshot);
  }

  /** All leaves as they are now, in the order in which they were first reached. */
  public synchronized List<FailurePoint> failurePoints() {
    return leaves.values().stream().map(Leaf::snapshot).collect(ImmutableList.toImmutableList());
  }

  /** The unvisited leaves as they are now, in the order in which they were first reached. */
  public synchronized List<FailurePoint> unvisited() {
    return leaves.values().stream()
        .filter(leaf -> !leaf.visited)
        .map(Leaf::snapshot)
        .collect(ImmutableList.toImmutableList());
  }

  /** How many leaves there are. */
  public synchronized int size() {
    return leaves.size();
  }

  /** How many leaves are visited. */
  public synchronized int visitedCount() {
    return visited;
  }

  /** How often leaves were reached, all together. */
  public synchronized long occurrences() {
    return leaves.values().stream().mapToLong(leaf -> leaf.occurrences).sum();
  }

  private static final class Leaf {
    final CallStack stack;
    final Instruction instruction;
    final long firstOrdinal;
    long occurrences;
    boolean visited;

    Leaf(FailurePoint failurePoint) {
      stack = failurePoint.stack();
      instruction = failurePoint.instruction();
      firstOrdinal = failurePoint.firstOrdinal();
      occurrences = failurePoint.occurrences();
      visited = failurePoint.visited();
    }

    FailurePoint snapshot() {
      return new FailurePoint(stack, instruction, occurrences, firstOrdinal, visited);
    }
  }
}
