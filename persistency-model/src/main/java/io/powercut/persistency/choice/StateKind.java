// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

/**
 * What makes states alike.
 *
 * @param policy who wants them
 * @param code the call stack of the store that decides, or its site when there is no stack
 */
record StateKind(StatePolicy policy, long code) {}
