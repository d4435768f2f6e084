// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import java.util.List;

/**
 * Where a race stores and loads, in the user's code.
 *
 * @param store as {@link FindingIdentity#place} tells it
 * @param load the same
 */
public record RacePlaces(String store, String load) {
  /** The places of two call stacks. */
  public static RacePlaces of(
      List<StackFrame> store, List<StackFrame> load, FindingIdentity identity) {
    return new RacePlaces(identity.place(store), identity.place(load));
  }

  /** The places of a race. */
  public static RacePlaces of(PersistencyRace race, FindingIdentity identity) {
    return of(race.store().stack(), race.load().stack(), identity);
  }
}
