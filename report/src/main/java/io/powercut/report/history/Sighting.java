// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

/**
 * A finding in one run.
 *
 * @param fingerprint which finding
 * @param position of the run among its campaign's, from 1
 * @param accepted whether it was lived with
 */
record Sighting(String fingerprint, int position, boolean accepted) {}
