// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import com.google.common.collect.ImmutableList;

/**
 * A thread between two of its synchronisations.
 *
 * @param order what happened before, if locks do not order
 * @param fullOrder the same, if they do
 * @param held the locks that it holds
 */
record Moment(int thread, VectorClock order, VectorClock fullOrder, ImmutableList<HeldLock> held) {}
