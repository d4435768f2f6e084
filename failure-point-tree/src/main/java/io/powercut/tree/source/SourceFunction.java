// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.Optional;

/**
 * A function in a source file.
 *
 * @param body nothing if it is too long to be looked at, or was not looked for
 * @param first its first line
 * @param last its last line
 */
record SourceFunction(Optional<FunctionBody> body, int first, int last) {
  /** Whether a line is one of its own. */
  boolean has(int line) {
    return line >= first && line <= last;
  }
}
