// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePoint;

/**
 * A failure point on whose images recovery gave different verdicts.
 *
 * @param point the failure point
 * @param recorded the verdict on the recorded image
 * @param reExecuted the verdict on the re-executed image
 */
record VerdictDifference(FailurePoint point, Judgement recorded, Judgement reExecuted) {}
