// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.DataSize;
import java.time.Duration;

/**
 * How thorough the oracle is.
 *
 * @param doubleCheck whether a finding is confirmed on a fresh copy
 * @param crashStacks whether a crash is repeated under the crash catcher to learn its stack
 * @param debugger the gdb to use, a name on the PATH or a path
 * @param debuggerLimit how long gdb may take, on top of the step's own time
 * @param coreLimit how much a crash's evidence, a core file above all, may take
 */
public record OracleSettings(
    boolean doubleCheck,
    boolean crashStacks,
    String debugger,
    Duration debuggerLimit,
    DataSize coreLimit) {
  /**
   * Everything, with {@code gdb} from the PATH, one minute for it, and 512 MiB for its evidence.
   */
  public static final OracleSettings DEFAULT =
      new OracleSettings(true, true, "gdb", Duration.ofMinutes(1), DataSize.ofMebibytes(512));
}
