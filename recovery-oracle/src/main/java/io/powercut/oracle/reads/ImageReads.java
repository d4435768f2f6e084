// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

/** Which lines of an image recovery reads before it has written to them; more where in doubt. */
@FunctionalInterface
public interface ImageReads {
  /** Every line counts as read. */
  ImageReads ALL = (path, offset) -> true;

  /**
   * Whether the line of a byte is read.
   *
   * @param path of its file, below the image's directory
   */
  boolean contains(String path, long offset);
}
