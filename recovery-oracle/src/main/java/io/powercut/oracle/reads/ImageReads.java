// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

/** What of an image recovery reads before it has written to it; more where in doubt. */
@FunctionalInterface
public interface ImageReads {
  /** Everything counts as read. */
  ImageReads ALL = (path, offset) -> LineRead.ALL;

  /**
   * What is read of the line of a byte.
   *
   * @param path of its file, below the image's directory
   */
  LineRead of(String path, long offset);

  /** What else has to be as it was for a recovery that does the same. */
  default Conditions conditions() {
    return Conditions.NONE;
  }

  /** Whether with more effort less might count as read. */
  default boolean isCoarse() {
    return false;
  }
}
