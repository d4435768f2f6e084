// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that should hold a failure-point tree does not; the message says where, what and what to
 * do.
 */
public final class TreeFileException extends IOException {
  private static final long serialVersionUID = 1L;

  TreeFileException(Path file, long line, String problem, String remedy) {
    super(file + ":" + line + ": " + problem + ". " + remedy);
  }
}
