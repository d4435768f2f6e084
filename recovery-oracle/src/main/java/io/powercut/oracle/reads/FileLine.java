// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A cache line of a file.
 *
 * @param device of the file
 * @param inode of the file
 * @param offset of its first byte, a multiple of 64
 */
public record FileLine(long device, long inode, long offset) {
  /** Bytes of a line. */
  public static final int SIZE = 64;

  public FileLine {
    if (offset < 0 || offset % SIZE != 0) {
      throw new IllegalArgumentException("no line begins at offset " + offset);
    }
  }

  /** The line of another byte of the file. */
  FileLine at(long other) {
    return new FileLine(device, inode, other / SIZE * SIZE);
  }

  /** The line of a byte of a file. */
  public static FileLine of(Path file, long offset) throws IOException {
    Object device = Files.getAttribute(file, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    Object inode = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    return new FileLine((Long) device, (Long) inode, offset / SIZE * SIZE);
  }
}
