// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.states.CrashState;

/**
 * A state that is possible only because something of the program was taken away.
 *
 * @param state at least one of its lines holds what it could not hold in the program as it is
 * @param counterpart the state of the program as it is that comes nearest: what is wrong with it as
 *     well is not wrong because of what was taken away
 */
public record AddedState(CrashState state, CrashState counterpart) {}
