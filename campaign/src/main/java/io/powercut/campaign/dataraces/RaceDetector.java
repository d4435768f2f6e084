// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.dataraces;

import java.util.Locale;

/** What looks for data races in a program that {@code powercut cc} compiled. */
public enum RaceDetector {
  /** KARD: objects get the key of the critical section that uses them (algorithm 1). */
  KARD,
  /** HMTRace: accesses tag memory with their thread. */
  HMTRACE,
  /** One beside the other. */
  BOTH;

  /** As users and the runtime write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
