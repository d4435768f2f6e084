// SPDX-License-Identifier: Apache-2.0
/** What identifies a lock of the target's own making, and what shows that it was acquired. */
@NullMarked
package io.powercut.campaign.locks;

import org.jspecify.annotations.NullMarked;
