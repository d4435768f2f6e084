// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

/** How the next thread of the target is chosen. */
public enum SchedulePolicy {
  /** Each in its turn. */
  DEFAULT("default"),
  /** By random priorities that change at random (Burckhardt et al., ASPLOS 2010). */
  PCT("pct"),
  /** Each in its turn, with pauses between store and persist (Vardalith, section 5.2). */
  DELAY("delay");

  private final String word;

  SchedulePolicy(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
