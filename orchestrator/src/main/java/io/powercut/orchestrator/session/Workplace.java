// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.report.rundir.RunDirectory;

/**
 * Where work on crash images is done.
 *
 * @param directory what the run leaves behind
 * @param resources what worker threads share
 * @param phases what the run reports
 */
public record Workplace(RunDirectory directory, Resources resources, Phases phases) {}
