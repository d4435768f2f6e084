// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import io.powercut.persistency.states.CrashState;

/**
 * A state to judge.
 *
 * @param policy who chose it
 * @param state is not that of program order
 */
public record Candidate(StatePolicy policy, CrashState state) {}
