// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;

/** What the recorder keeps of processes that died of a signal, or with Valgrind itself. */
public final class Deaths {
  private static final String FILES = "death-*";

  private Deaths() {}

  /**
   * The stack of the process that died last, a line for each frame, innermost first.
   *
   * @param directory of the trace
   * @return nothing if none died so that the recorder noticed: {@code SIGKILL} leaves no time
   */
  public static Optional<List<String>> lastStack(Path directory) throws IOException {
    Optional<Path> last = Optional.empty();
    FileTime time = FileTime.fromMillis(0);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FILES)) {
      for (Path file : files) {
        FileTime written = Files.getLastModifiedTime(file);
        if (last.isEmpty() || written.compareTo(time) > 0) {
          last = Optional.of(file);
          time = written;
        }
      }
    }
    return last.isEmpty() ? Optional.empty() : Optional.of(Files.readAllLines(last.get()));
  }
}
