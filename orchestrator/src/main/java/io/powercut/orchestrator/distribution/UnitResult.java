// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What became of a unit.
 *
 * @param isLost whether no machine brought it to an end; the text says why then
 * @param exitCode of the command
 * @param host where it ran; empty if that is not known
 * @param text the last of what it printed as an error
 * @param output an archive of what it wrote; nothing if it was lost
 * @param seconds how long it took there
 */
public record UnitResult(
    boolean isLost, int exitCode, String host, String text, Optional<Path> output, double seconds) {
  /** One that no machine brought to an end. */
  public static UnitResult lost(String why) {
    return new UnitResult(true, 0, "", why, Optional.empty(), 0);
  }
}
