// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.pages.ImageHash;
import io.powercut.orchestrator.dump.ExpectedDumps;
import java.util.List;

/**
 * The quiescent points around a power cut, which it holds until it is closed.
 *
 * @param before the last one before it
 * @param after the first one after it
 */
record Between(QuiescentPoint before, QuiescentPoint after) implements AutoCloseable {
  /** Holds both. */
  static Between of(QuiescentPoint before, QuiescentPoint after) {
    return new Between(before.hold(), after.hold());
  }

  /** Both images. */
  List<ImageHash> images() {
    return List.of(before.hash(), after.hash());
  }

  /**
   * What is allowed after recovery.
   *
   * @param places where the images are made
   */
  ExpectedDumps expected(CrashImageJudge judge, RecordedImages places) {
    return new ExpectedDumps(before.dump(judge, places), after.dump(judge, places));
  }

  @Override
  public void close() {
    before.release();
    after.release();
  }
}
