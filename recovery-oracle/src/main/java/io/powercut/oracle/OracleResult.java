// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A verdict and what it rests on.
 *
 * @param verdict the verdict
 * @param steps the outcome of each step when recovery first ran, up to the one that decided
 * @param evidence the directory with what was kept of a finding: outputs, the crash's stack, a core
 *     file
 */
public record OracleResult(Verdict verdict, List<StepResult> steps, Optional<Path> evidence) {
  /** Keeps its own copy. */
  public OracleResult {
    steps = List.copyOf(steps);
  }

  /** The step that decided: the last that was run. */
  public Optional<StepResult> deciding() {
    return steps.isEmpty() ? Optional.empty() : Optional.of(steps.get(steps.size() - 1));
  }
}
