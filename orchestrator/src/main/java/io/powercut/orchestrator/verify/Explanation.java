// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.CrashImage;
import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.orchestrator.session.Progress;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out where the first difference between images comes from. */
final class Explanation {
  private final OtherExecutions executions;
  private final Progress progress;
  private final Optional<Path> keep;

  /**
   * @param keep an empty directory that gets both images of the first difference
   */
  Explanation(OtherExecutions executions, Progress progress, Optional<Path> keep) {
    this.executions = executions;
    this.progress = progress;
    this.keep = keep;
  }

  /**
   * The first difference in the order of the tree, among those whose images were kept.
   *
   * @param tree of the recorded run
   */
  Optional<LeafDifference> explain(FailurePointTree tree, ReExecutedImages images) {
    for (FailurePoint point : tree.failurePoints()) {
      Optional<ReExecutedImages.Kept> kept = images.kept(point.id());
      if (kept.isPresent()) {
        return Optional.of(explain(tree, point, kept.get()));
      }
    }
    return Optional.empty();
  }

  private LeafDifference explain(
      FailurePointTree tree, FailurePoint point, ReExecutedImages.Kept kept) {
    try {
      keep(kept.recorded(), kept.copy());
      return new LeafDifference(point, kept.difference(), cause(tree, point.id()), holdsPath(kept));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void keep(CrashImage recorded, Path reExecuted) throws IOException {
    if (keep.isPresent()) {
      recorded.writeTo(keep.get().resolve("recorded"));
      DirectoryCopy.copy(reExecuted, keep.get().resolve("re-executed"));
    }
  }

  private Cause cause(FailurePointTree tree, FailurePointId id) throws IOException {
    progress.phase("recording an execution that is stopped at failure point " + id);
    Optional<Optional<Difference>> outcome = executions.compareOneExecution(tree, id);
    if (outcome.isEmpty()) {
      return Cause.UNKNOWN;
    }
    return outcome.get().isEmpty() ? Cause.TARGET : Cause.POWERCUT;
  }

  /** Whether the execution's own path is where its bytes differ. */
  private static boolean holdsPath(ReExecutedImages.Kept kept) throws IOException {
    if (!(kept.difference() instanceof Difference.BytesDiffer bytes)) {
      return false;
    }
    Path file = kept.copy().resolve(bytes.path());
    String path = kept.original().toString();
    long from = Math.max(0, bytes.offset() - path.length());
    int length = (int) Math.min(2L * path.length(), Files.size(file) - from);
    byte[] around = new byte[length];
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
      opened.seek(from);
      opened.readFully(around);
    }
    return new String(around, StandardCharsets.ISO_8859_1).contains(path);
  }
}
