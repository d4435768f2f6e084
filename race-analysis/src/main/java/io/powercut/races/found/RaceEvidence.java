// SPDX-License-Identifier: Apache-2.0
package io.powercut.races.found;

/** How much is known of a race; the later, the more. */
public enum RaceEvidence {
  /** No lock protects store, persist and load: it may happen in another schedule. */
  LOCKSET,
  /** Nothing orders them, locks included: there is a schedule in which it happens. */
  REGION,
  /** It happened: the load read what was not persisted. */
  OBSERVED,
  /** And then the reader persisted something, or wrote output, while it still was not. */
  CONSEQUENCE;

  /** The stronger one. */
  public RaceEvidence or(RaceEvidence other) {
    return compareTo(other) < 0 ? other : this;
  }
}
