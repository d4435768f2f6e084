// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

/** How the image at a failure point is made. */
public enum InjectionMode {
  /** The target runs again and is stopped there. */
  RE_EXECUTED("re-executed"),
  /** It is rebuilt from one recorded run. */
  RECORDED("recorded");

  private final String word;

  InjectionMode(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
