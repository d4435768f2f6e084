// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

/** Whether something that differs between two runs is kept from differing. */
public enum Determinism {
  /** The same in every execution. */
  FIXED("fixed"),
  /** As the machine has it. */
  FREE("free");

  private final String word;

  Determinism(String word) {
    this.word = word;
  }

  /** True for {@link #FIXED}. */
  public boolean isFixed() {
    return this == FIXED;
  }

  @Override
  public String toString() {
    return word;
  }
}
