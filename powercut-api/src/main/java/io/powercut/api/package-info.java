// SPDX-License-Identifier: Apache-2.0
/**
 * Runs campaigns from Java: {@link io.powercut.api.Powercut} starts the command {@code powercut} in
 * a process of its own and reads its events, so that nothing of Powercut is on the class path.
 */
@NullMarked
package io.powercut.api;

import org.jspecify.annotations.NullMarked;
