// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** How much a finding claims. */
public enum Severity {
  /** Proved by an oracle or a rule. */
  BUG,
  /** Suspicious, but not proved. */
  WARNING,
  /** Correct, but slower than it has to be. */
  PERFORMANCE
}
