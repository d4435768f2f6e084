// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static java.util.Objects.requireNonNull;

/**
 * A place in the source code, as far as debug information shows.
 *
 * @param function the demangled function name, empty when unknown
 * @param file the source file as the debug information has it (often an absolute path), empty when
 *     unknown
 * @param line the line, counted from 1; 0 when unknown
 */
public record SourcePosition(String function, String file, int line) {
  /** The position of code of which nothing is known. */
  public static final SourcePosition UNKNOWN = new SourcePosition("", "", 0);

  public SourcePosition {
    requireNonNull(function, "function is null");
    requireNonNull(file, "file is null");
    if (line < 0) {
      throw new IllegalArgumentException("line is negative: " + line);
    }
  }

  /** The file's name without its folders; empty when unknown. */
  public String fileName() {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /** Whether file and line are both known. */
  public boolean hasLine() {
    return !file.isEmpty() && line > 0;
  }
}
