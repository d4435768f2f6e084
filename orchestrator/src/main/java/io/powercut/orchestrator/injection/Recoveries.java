// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.judging.CrashImageJudge;
import io.powercut.orchestrator.nestedcrash.CutRecovery;
import io.powercut.orchestrator.reads.RecoveryReads;
import java.util.Optional;

/**
 * What recovery is used for.
 *
 * @param judge to judge images
 * @param reads to see which lines it reads; nothing if all states are judged
 * @param cut to be cut itself
 * @param isLong whether it takes so long that a long run has few of them
 */
public record Recoveries(
    CrashImageJudge judge, Optional<RecoveryReads> reads, CutRecovery cut, boolean isLong) {}
