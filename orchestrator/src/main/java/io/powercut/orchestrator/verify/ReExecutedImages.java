// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.CrashImage;
import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compares the PM directory of each stopped execution with the recorded image of the same failure
 * point. Copies of the first few that differ are kept. Safe for use by several threads.
 */
final class ReExecutedImages {
  /** Pools can be large; to explain the first difference one is enough, and any may be first. */
  private static final int KEPT = 4;

  private final OtherExecutions executions;
  private final ImageComparison comparison;
  private final Map<FailurePointId, CrashImage> recorded;
  private final Map<FailurePointId, Optional<Difference>> compared = new ConcurrentHashMap<>();
  private final Map<FailurePointId, String> failed = new ConcurrentHashMap<>();
  private final Map<FailurePointId, Kept> kept = new ConcurrentHashMap<>();

  /**
   * A failure point whose images differ.
   *
   * @param recorded the recorded image
   * @param difference the first difference
   * @param copy of the PM directory
   * @param original where it was in that execution; it is not there any more
   */
  record Kept(CrashImage recorded, Difference difference, Path copy, Path original) {}

  ReExecutedImages(OtherExecutions executions, Map<FailurePointId, CrashImage> recorded) {
    this.executions = executions;
    this.comparison = new ImageComparison(executions);
    this.recorded = recorded;
  }

  /** An execution was stopped at a failure point. */
  void stopped(FailurePointId id, Path pm) {
    CrashImage image = recorded.get(id);
    if (image == null) {
      return;
    }
    try {
      Optional<Difference> difference = comparison.compare(image, pm);
      compared.put(id, difference);
      if (difference.isPresent()) {
        keep(id, image, difference.get(), pm);
      }
    } catch (OutOfSpaceException e) {
      failed.put(id, e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void keep(
      FailurePointId id, CrashImage image, Difference difference, Path pm) throws IOException {
    if (kept.size() < KEPT) {
      Path copy = executions.newDirectory();
      DirectoryCopy.copy(pm, copy);
      kept.put(id, new Kept(image, difference, copy, pm));
    }
  }

  /** The comparisons that were made; nothing in them where the images are equal. */
  Map<FailurePointId, Optional<Difference>> compared() {
    return compared;
  }

  /** Why others could not be made. */
  Optional<String> failure(FailurePointId id) {
    return Optional.ofNullable(failed.get(id));
  }

  /** What was kept of a failure point whose images differ. */
  Optional<Kept> kept(FailurePointId id) {
    return Optional.ofNullable(kept.get(id));
  }
}
