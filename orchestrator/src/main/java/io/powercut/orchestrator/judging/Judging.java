// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.orchestrator.session.Budget;
import io.powercut.report.identity.FindingIdentity;

/**
 * How the crash images of one run are judged.
 *
 * @param judge asks recovery
 * @param images what is known of images; grows
 * @param identity gives the findings their fingerprints
 * @param budget how much may be spent
 * @param results takes what comes of it
 */
public record Judging(
    CrashImageJudge judge,
    VerdictCache images,
    FindingIdentity identity,
    Budget budget,
    ResultListener results) {}
