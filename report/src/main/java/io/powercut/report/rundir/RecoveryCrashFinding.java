// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.RecoveryCrash;

/**
 * A bug in recovery: what a power cut in it left, recovery cannot handle.
 *
 * @param fingerprint of recovery's functions where it was cut, or of the stores to blame in them
 * @param cut where that was
 * @param judgement what recovery made of it, with the crash state if it is not that of program
 *     order; its failure point is that of the first cut
 */
public record RecoveryCrashFinding(String fingerprint, RecoveryCrash cut, Judgement judgement) {}
