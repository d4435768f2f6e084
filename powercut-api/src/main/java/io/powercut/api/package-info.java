// SPDX-License-Identifier: Apache-2.0
/**
 * Campaigns, and what their runs tell: {@link io.powercut.api.Powercut} starts the command {@code
 * powercut} in a process of its own and reads its {@link io.powercut.api.Event}s. The command line
 * is written in the same terms.
 */
@NullMarked
package io.powercut.api;

import org.jspecify.annotations.NullMarked;
