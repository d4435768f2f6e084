// SPDX-License-Identifier: Apache-2.0
package io.powercut.races.found;

import java.util.List;

/**
 * What was found in a trace.
 *
 * @param races the strongest evidence first
 * @param limits of what is kept, as {@link RaceOptions} allow, that were reached: in words. All
 *     races were found if there are none
 * @param isSerial whether threads that nothing but locks orders used persistent memory one after
 *     the other: then what one stored looks like initialisation to the next; or one of them alone
 *     used it, while others ran beside it
 */
public record RaceResult(List<Race> races, List<String> limits, boolean isSerial) {
  public RaceResult {
    races = List.copyOf(races);
    limits = List.copyOf(limits);
  }

  /** Whether all races were found. */
  public boolean isComplete() {
    return limits.isEmpty();
  }
}
