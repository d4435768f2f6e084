// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.searches.Searches;
import java.util.Optional;

/**
 * How the states of a moment are explored.
 *
 * @param reads says which lines recovery reads, so that states that differ in others are left out;
 *     nothing if all are judged
 * @param searches for states that nothing decides yet
 */
public record StateOptions(Optional<RecoveryReads> reads, Searches searches) {}
