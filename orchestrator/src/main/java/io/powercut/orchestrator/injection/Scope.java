// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.session.Budget;
import io.powercut.tree.FailurePointId;
import java.util.function.Predicate;

/**
 * How much is judged.
 *
 * @param wanted which failure points
 * @param budget what that may cost
 */
public record Scope(Predicate<FailurePointId> wanted, Budget budget) {
  /** All failure points. */
  public static Scope all(Budget budget) {
    return new Scope(id -> true, budget);
  }
}
