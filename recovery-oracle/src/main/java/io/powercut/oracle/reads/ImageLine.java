// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

/**
 * A cache line of a file of a crash image.
 *
 * @param path below the image's directory
 * @param offset of its first byte
 */
public record ImageLine(String path, long offset) {
  /** The line of a byte. */
  public static ImageLine of(String path, long offset) {
    return new ImageLine(path, offset / FileLine.SIZE * FileLine.SIZE);
  }
}
