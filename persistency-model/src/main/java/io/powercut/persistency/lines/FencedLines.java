// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import java.util.function.Consumer;

/** The lines with stores that a fence is about to persist. */
public interface FencedLines {
  /** Whether there are none. */
  boolean isEmpty();

  /**
   * Hands them out, in no order. Of lines that one loop left alike, only the first and the last: in
   * these the earliest and the latest flush and store are.
   */
  void forEach(Consumer<LineHistory> receiver);
}
