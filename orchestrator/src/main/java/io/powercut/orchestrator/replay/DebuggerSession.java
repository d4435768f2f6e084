// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.process.CommandSpec;
import java.util.List;

/** Opens a debugger for a person. */
@FunctionalInterface
interface DebuggerSession {
  /**
   * Opens it, and waits until the person has closed it.
   *
   * @param debugger its command line
   * @param like in whose directory and environment it runs
   */
  void open(List<String> debugger, CommandSpec like);
}
