// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.orchestrator.dump.Dump;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import java.nio.file.Path;

/**
 * Says what recovery makes of a crash image. Injection, exploration and crashes during recovery
 * know no more of the oracle than this. Safe for use by several threads.
 */
public interface CrashImageJudge {
  /**
   * Judges the image of program order at an occurrence; that of a bug is kept in the run directory.
   *
   * @param at where the power was cut
   * @param images gives private copies of the image
   */
  Judgement judge(Occurrence at, JudgedImages images);

  /**
   * Judges an image; that of a bug is kept.
   *
   * @param at where the power was cut
   * @param images gives private copies of the image
   * @param kept directory for the image and what shows the bug; made when it is needed
   */
  Judgement judge(Occurrence at, JudgedImages images, Path kept);

  /**
   * Runs recovery once. Nothing is kept, and a failure proves no bug yet.
   *
   * @param at where the power was cut
   * @param images gives private copies of the image
   */
  Judgement probe(Occurrence at, JudgedImages images);

  /**
   * The contents of an image after recovery.
   *
   * @param of which image, as in {@link Dump#of}
   */
  Dump dump(String of, JudgedImages images);
}
