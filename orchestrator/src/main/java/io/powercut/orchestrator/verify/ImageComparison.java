// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.CrashImage;
import io.powercut.image.ImageWorkspace;
import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Compares recorded images with directories, in several threads at a time. */
final class ImageComparison {
  private final OtherExecutions executions;
  private final Queue<ImageWorkspace> free = new ConcurrentLinkedQueue<>();

  ImageComparison(OtherExecutions executions) {
    this.executions = executions;
  }

  /**
   * The first difference between an image and a directory: "the first" is the image.
   *
   * @throws IOException if there is no room for the image, or one cannot be read
   */
  Optional<Difference> compare(CrashImage image, Path directory) throws IOException {
    ImageWorkspace workspace = free.poll();
    if (workspace == null) {
      workspace = new ImageWorkspace(executions.newDirectory());
    }
    workspace.moveTo(image);
    Optional<Difference> difference =
        DirectoryComparison.firstDifference(workspace.path(), directory);
    free.add(workspace);
    return difference;
  }
}
