// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A trace cannot be used: truncated, damaged, of another version or no trace at all. The message
 * says which file, where in it, what is wrong and what to do.
 */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Remedy for a file that was a trace once. */
  public static final String RECORD_AGAIN = "Record the trace again with \"powercut run\"";

  /** A trace or part of one is unusable as a whole. */
  public TraceException(Path file, String problem, String remedy) {
    super(file + ": " + problem + ". " + remedy + ".");
  }

  /** Something is wrong at a byte offset in the file. */
  public TraceException(Path file, long offset, String problem, String remedy) {
    super(file + ": at byte " + offset + ": " + problem + ". " + remedy + ".");
  }
}
