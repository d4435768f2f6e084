// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

/** What part an instruction has in a pattern. */
public enum Role {
  STORE,
  /** The store whose bytes another one overwrote before they were persisted. */
  OVERWRITTEN_STORE,
  FLUSH,
  /** The flush that had done already what a redundant one was asked to do. */
  EARLIER_FLUSH,
  FENCE
}
