// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.image.files.Removal;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A run directory for what leaves no run behind. Closing this removes it. */
public final class TemporaryRun implements AutoCloseable {
  private final Path path;

  private TemporaryRun(Path path) {
    this.path = path;
  }

  public static TemporaryRun create() {
    try {
      Path path = Files.createTempDirectory("powercut-");
      Files.createDirectory(path.resolve("output"));
      return new TemporaryRun(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public RunDirectory directory() {
    return new RunDirectory(path);
  }

  /** Removes it; a second time does nothing. */
  @Override
  public void close() {
    try {
      Removal.remove(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
