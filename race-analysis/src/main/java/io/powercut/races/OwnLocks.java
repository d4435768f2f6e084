// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static java.util.Objects.requireNonNull;

import io.powercut.tree.ExcludedFunctions;

/**
 * The functions of the target's own locks. What they do to the lock itself is no race, even where
 * the lock lies in persistent memory.
 *
 * @param functions all of them
 * @param releasing those that release: a fence in one comes before other threads can go on
 */
public record OwnLocks(ExcludedFunctions functions, ExcludedFunctions releasing) {
  /** There are none. */
  public static final OwnLocks NONE = new OwnLocks(ExcludedFunctions.NONE, ExcludedFunctions.NONE);

  public OwnLocks {
    requireNonNull(functions, "functions is null");
    requireNonNull(releasing, "releasing is null");
  }
}
