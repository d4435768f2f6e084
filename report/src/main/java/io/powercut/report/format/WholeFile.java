// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A file of text of which a reader sees the old one or the whole new one. */
public final class WholeFile {
  private WholeFile() {}

  /** Writes what is in a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it. */
    void write(Writer out) throws IOException;
  }

  /**
   * Writes a file; several processes may do so at once.
   *
   * @throws PowercutException if it cannot be written
   */
  public static void write(Path file, Content content) {
    Path target = file.toAbsolutePath().normalize();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    try {
      Path fresh = Files.createTempFile(folder, "." + target.getFileName() + "-", ".new");
      try {
        // A writer that fails when it is closed leaves its stream open.
        try (OutputStream stream = Files.newOutputStream(fresh);
            Writer out =
                new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8))) {
          content.write(out);
        }
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(
            fresh, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      FileProblem problem = FileProblem.of(target, e);
      throw PowercutException.notTrustworthy(
          "cannot write %s: %s; %s".formatted(target, problem.reason(), problem.remedy()));
    }
  }
}
