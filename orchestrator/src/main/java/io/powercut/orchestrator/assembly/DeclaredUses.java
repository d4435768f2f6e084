// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import io.powercut.campaign.sections.RacesSection;
import io.powercut.orchestrator.target.NamedFunctions;
import io.powercut.trace.file.ControlFile;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What all runs of a target did with the functions of locks and allocators that a campaign
 * declares: in another order of threads, a function may be called that was not before. Safe for use
 * by several threads.
 */
final class DeclaredUses implements BiConsumer<List<Path>, ControlFile.DeclaredFunctions> {
  private final Set<Path> modules = new LinkedHashSet<>();
  private boolean isAny;
  private long found;
  private long entered;
  private long took;

  /**
   * A run has ended.
   *
   * @param programs the target and its libraries
   * @param used the functions that it has, and has called
   */
  @Override
  public synchronized void accept(List<Path> programs, ControlFile.DeclaredFunctions used) {
    isAny = true;
    modules.addAll(programs);
    found |= used.found();
    entered |= used.entered();
    took |= used.took();
  }

  /** What is wrong with the functions, as far as it holds for all runs; nothing without a run. */
  synchronized List<String> problems(RacesSection races) {
    return isAny
        ? new NamedFunctions(List.copyOf(modules))
            .problems(races, new ControlFile.DeclaredFunctions(found, entered, took))
        : List.of();
  }
}
