// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import java.time.Duration;
import java.util.Optional;

/**
 * How the states of a moment are explored.
 *
 * @param reads says which lines recovery reads, so that states that differ in others are left out;
 *     nothing if all are judged
 * @param complete how many more recoveries may run at one failure point to decide all its states;
 *     at least 0
 * @param completeTime how long they may run together
 */
public record StateOptions(Optional<RecoveryReads> reads, int complete, Duration completeTime) {}
