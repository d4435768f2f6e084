// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.oracle.reads.ReadsWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The steps of a recovery, watched while they run on one copy. None of them is a server. */
final class WatchedProcedure implements RecoveryProcedure {
  private final RecoveryProcedure plain;
  private final ReadsWatch watch;
  private final Path scratch;
  private Optional<ReadsWatch.Copy> copy = Optional.empty();

  /**
   * @param scratch existing directory for what is known of the lines
   */
  WatchedProcedure(RecoveryProcedure plain, ReadsWatch watch, Path scratch) {
    this.plain = plain;
    this.watch = watch;
    this.scratch = scratch;
  }

  @Override
  public List<RecoveryStep> on(Path image) {
    try {
      ReadsWatch.Copy watched = watch.on(image, scratch);
      copy = Optional.of(watched);
      return plain.on(image).stream()
          .map(
              step ->
                  new RecoveryStep(
                      step.name(),
                      watched.watch(step.command()),
                      step.success(),
                      step.server(),
                      step.check()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Recovery is over.
   *
   * @param steps how many of them ran
   */
  void end(int steps) throws IOException {
    if (copy.isPresent()) {
      copy.get().end(steps);
    }
  }
}
