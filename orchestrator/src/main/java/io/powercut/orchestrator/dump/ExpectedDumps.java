// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The contents that are allowed after recovery: those of the state before the operation that was
 * under way, and those of the state after it.
 */
public record ExpectedDumps(Dump before, Dump after) {
  private static final String BEFORE = "before";
  private static final String AFTER = "after";

  /** Requires that both are there. */
  public ExpectedDumps {
    requireNonNull(before, "before is null");
    requireNonNull(after, "after is null");
  }

  /**
   * Those that were kept with a finding.
   *
   * @param directory that {@link DumpComparison#keep} has written
   * @return nothing if it has not
   * @throws IOException if they cannot be read
   */
  public static Optional<ExpectedDumps> keptIn(Path directory) throws IOException {
    Path before = directory.resolve(BEFORE);
    Path after = directory.resolve(AFTER);
    return Files.isRegularFile(before) && Files.isRegularFile(after)
        ? Optional.of(
            new ExpectedDumps(
                Dump.of("before the operation in progress", before),
                Dump.of("after the operation in progress", after)))
        : Optional.empty();
  }

  void writeTo(Path directory) throws IOException {
    before.writeTo(directory.resolve(BEFORE));
    after.writeTo(directory.resolve(AFTER));
  }
}
