// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceException;
import java.nio.file.Path;

/** What is said about traces of other versions. */
final class TraceVersions {
  private TraceVersions() {}

  static TraceException other(Path file, long offset, int version) {
    return new TraceException(
        file,
        offset,
        "this trace has format version "
            + version
            + ", this Powercut reads version "
            + TraceFormat.VERSION,
        "Use the Powercut version that wrote it, or record again with \"powercut run\"");
  }
}
