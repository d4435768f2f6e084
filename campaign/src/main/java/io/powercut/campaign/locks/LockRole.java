// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.locks;

import java.util.Locale;

/** What a function does to a lock. */
public enum LockRole {
  /** It returns with the lock held, unless it says that it failed. */
  ACQUIRE,
  /** From its call on, the lock is not held. */
  RELEASE,
  /** As {@link #ACQUIRE}, but it must say how its success shows. */
  TRY_ACQUIRE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
