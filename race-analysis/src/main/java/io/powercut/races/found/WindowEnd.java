// SPDX-License-Identifier: Apache-2.0
package io.powercut.races.found;

/** What ended the time in which a crash could take a store away. */
public enum WindowEnd {
  PERSISTED,
  /**
   * Stored over, set to zero, cut off, lost with its file, or in memory that is allocated again.
   */
  OVERWRITTEN,
  /** Nothing, up to the end of the trace. */
  NEVER
}
