// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

/** A library of which it is known which patterns it leaves in a trace on purpose. */
public enum LibraryKnowledge {
  /** PMDK's libpmemobj (docs/pmdk-patterns.md). */
  PMDK("pmdk");

  private final String word;

  LibraryKnowledge(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
