// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.ImmutableSet;
import java.util.Collection;
import java.util.Set;

/**
 * Functions below which no failure point is taken, for example those that create a pool, which
 * promise no crash consistency.
 *
 * @param names patterns, as in {@link NamePattern}; a stack is excluded when one of them matches
 *     one of its functions, inlined ones too
 */
public record ExcludedFunctions(Set<String> names) {
  /** Excludes nothing. */
  public static final ExcludedFunctions NONE = new ExcludedFunctions(ImmutableSet.of());

  public ExcludedFunctions {
    names = ImmutableSet.copyOf(names);
  }

  /** Excludes the functions of these names. */
  public static ExcludedFunctions of(Collection<String> names) {
    return new ExcludedFunctions(ImmutableSet.copyOf(names));
  }

  /** Whether the stack runs through an excluded function. */
  public boolean exclude(CallStack stack) {
    if (names.isEmpty()) {
      return false;
    }
    for (Frame frame : stack.frames()) {
      for (SourcePosition position : frame.positions()) {
        if (excludeFunction(position.function())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean excludeFunction(String function) {
    return names.stream().anyMatch(pattern -> NamePattern.ofFunction(pattern, function));
  }
}
