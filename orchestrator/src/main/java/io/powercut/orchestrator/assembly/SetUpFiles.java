// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import io.powercut.image.pages.ContentHashes;
import io.powercut.report.rundir.SetUpLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** What tells the files of one set-up from those of another. */
public final class SetUpFiles {
  private SetUpFiles() {}

  /**
   * What is in a PM directory after set-up.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  public static SetUpLog in(Path pm) {
    try {
      return SetUpLog.of(ContentHashes.of(pm));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
