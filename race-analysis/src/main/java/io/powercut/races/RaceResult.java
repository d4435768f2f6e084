// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import java.util.List;

/**
 * What was found in a trace.
 *
 * @param races the strongest evidence first
 * @param isComplete whether all were found; else there was more to be kept than {@link RaceOptions}
 *     allow
 */
public record RaceResult(List<Race> races, boolean isComplete) {
  public RaceResult {
    races = List.copyOf(races);
  }
}
