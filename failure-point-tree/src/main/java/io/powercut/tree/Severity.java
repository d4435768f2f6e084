// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** How much a finding claims. */
public enum Severity {
  /** Proved by an oracle or a rule. */
  BUG,
  /** A thread may act on what a power cut takes away; the evidence says how sure that is. */
  RACE,
  /** Suspicious, but not proved. */
  WARNING,
  /** Correct, but slower than it has to be. */
  PERFORMANCE
}
