// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.campaign.dataraces.RaceDetector;
import java.util.Map;

/**
 * How the runtime of {@code powercut cc} looks for races.
 *
 * @param detector its algorithm
 * @param backend what tells it of accesses
 * @param pure whether it is as its paper has it, without what library calls order
 */
public record DataRaceDetection(RaceDetector detector, RaceBackend backend, boolean pure) {
  /**
   * What to add to a program's environment, but for the file that the races go to.
   *
   * @param run from 1; threads of the first run are not disturbed, those of others pause by a seed
   */
  Map<String, String> environment(int run) {
    return Map.of(
        "POWERCUT_RACE_DETECTOR", detector.toString(),
        "POWERCUT_RACE_BACKEND", backend.toString(),
        "POWERCUT_RACE_PURE", pure ? "1" : "0",
        "POWERCUT_RACE_SEED", Integer.toString(run - 1));
  }
}
