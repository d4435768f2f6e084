// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.oracle.CrashStack;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import java.nio.file.Path;
import java.util.Optional;

/** Runs recovery on images. Safe for use by several threads. */
public interface RecoveryRuns {
  /**
   * Judges an image.
   *
   * @param images gives private copies of it
   * @param evidence directory for what shows a bug; nothing is kept when there is none
   * @param dump looks at what the dump prints
   * @param asked which accepted images are asked about a second time
   */
  OracleResult judge(
      JudgedImages images,
      Optional<Path> evidence,
      OracleSettings settings,
      Optional<OutputCheck> dump,
      YesSample asked);

  /**
   * Asks once about an image that should be refused, with no more time than others need. No state
   * of the program is meant by it, so nothing is kept, proved or compared.
   */
  Verdict.Kind glance(JudgedImages images);

  /**
   * Whether it takes long, by what it took to accept an image so far: then a long run has fewer
   * crash states judged.
   */
  default boolean isLong() {
    return false;
  }

  /**
   * A step of recovery with no more time than it should need, by what it took so far. What is not
   * done then is no hang.
   *
   * @param index its number, counted from 0
   */
  default RecoveryStep shorten(int index, RecoveryStep step) {
    return step;
  }

  /** A hang there says nothing about how long recovery takes: the time was taken by others. */
  void forget(CrashStack hang);
}
