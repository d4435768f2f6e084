// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.knowledge;

/**
 * Why a pattern is intended where it is; such a finding does not fail a run.
 *
 * @param knowledge whose knowledge it is, as in {@code knowledge} of a campaign
 * @param reason why
 */
public record Explanation(String knowledge, String reason) {}
