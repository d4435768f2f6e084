// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

/** Which instructions are failure points. */
public enum Granularity {
  /**
   * Flushes, fences and what has a fence's effect, with a store since the last one (Mumak, section
   * 4.1).
   */
  PERSISTENCY("persistency"),
  /** Every store to persistent memory: many more. */
  STORE("store");

  private final String word;

  Granularity(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
