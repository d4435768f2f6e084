// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.locks;

import java.util.Locale;

/** Who else may hold a lock. */
public enum LockMode {
  /** Nobody. */
  EXCLUSIVE,
  /** Others in the same mode. */
  SHARED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
