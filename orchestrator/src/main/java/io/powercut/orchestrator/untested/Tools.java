// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.untested;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs tools that read binaries. */
@FunctionalInterface
public interface Tools {
  /**
   * Runs a command to its end.
   *
   * @return what it printed, all of it; nothing if it failed, took too long or printed too much
   */
  Optional<Path> run(List<String> command);
}
