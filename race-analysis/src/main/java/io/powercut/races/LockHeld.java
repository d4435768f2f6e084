// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.LockKind;
import io.powercut.tree.CallStack;
import java.util.Optional;

/**
 * A lock that a thread of a race held.
 *
 * @param object its {@linkplain io.powercut.trace.Location location}
 * @param isShared whether other readers could hold it, too
 * @param acquired where, if that is known
 */
public record LockHeld(
    LockKind kind, long object, boolean isShared, Optional<CallStack> acquired) {}
