// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.exit.PowercutException;
import java.nio.file.Path;
import java.util.List;

/** The outcome of crashes during recovery, by the occurrence of the first one. */
public final class RecoveryCrashLog extends OccurrenceLog<RecoveryCrashVerdicts> {
  private RecoveryCrashLog(LineLog<RecoveryCrashVerdicts> lines) {
    super(lines);
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws PowercutException if a line other than the last cannot be read
   */
  public static RecoveryCrashLog open(Path file) {
    return new RecoveryCrashLog(
        new LineLog<>(
            file,
            RecoveryCrashVerdicts.class,
            "a line on crashes during recovery",
            RecoveryCrashVerdicts::at));
  }

  /** What proved bugs. */
  public List<RecoveryCrashFinding> findings() {
    return all().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
