// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.image.PmArea;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A run directory for what leaves no run behind. Closing this removes it. A process that was killed
 * could not: what it left is found and removed as PM areas are.
 */
public final class TemporaryRun implements AutoCloseable {
  private final PmArea area;

  private TemporaryRun(PmArea area) {
    this.area = area;
  }

  /** Makes one in the system's folder for temporary files, and removes abandoned ones there. */
  public static TemporaryRun create() {
    return createIn(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static TemporaryRun createIn(Path parent) {
    try {
      PmArea.removeAbandoned(parent);
      TemporaryRun run = new TemporaryRun(PmArea.create(parent));
      Files.createDirectory(run.area.root().resolve("output"));
      return run;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public RunDirectory directory() {
    return new RunDirectory(area.root());
  }

  /** Removes it; a second time does nothing. */
  @Override
  public void close() {
    try {
      area.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
