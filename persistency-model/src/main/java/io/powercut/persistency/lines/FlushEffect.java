// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

/** What a flush does, by the rules of the persistency model. All but one kind is redundant. */
public enum FlushEffect {
  /** A store that no earlier flush of the thread covers is brought nearer to being persisted. */
  WRITES_BACK,
  /** It is of volatile memory, which no flush makes persistent. */
  VOLATILE,
  /** The file has no name any more: a power cut takes it away whatever is in it. */
  LOST_FILE,
  /** The caches survive a power cut (eADR). */
  CACHE_IS_PERSISTENT,
  /** In the line only stores past the cache are in flight, which a flush does nothing for. */
  ONLY_NON_TEMPORAL,
  /** Nothing is in flight in the line, but the program said that some of its bytes be ignored. */
  IGNORED,
  /** Nothing is in flight in the line that an earlier flush of the thread does not cover. */
  NOTHING_TO_WRITE_BACK;

  /** Whether leaving the flush out would make no crash state possible that is not anyway. */
  public boolean isRedundant() {
    return this != WRITES_BACK;
  }
}
