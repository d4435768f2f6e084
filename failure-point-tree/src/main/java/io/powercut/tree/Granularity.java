// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** Which instructions are candidates for failure points (Mumak, section 4.1). */
public enum Granularity {
  /**
   * Flushes, fences and instructions with a fence's effect, msync and its kin, and writes that are
   * durable when they return ({@code O_DSYNC}).
   */
  PERSISTENCY("persistency"),
  /** Every PM store as well, before it. */
  STORE("store");

  private final String label;

  Granularity(String label) {
    this.label = label;
  }

  /** The name used in campaign files, on the recorder's command line and in tree files. */
  public String label() {
    return label;
  }

  /**
   * The granularity of that name.
   *
   * @throws IllegalArgumentException naming the text when there is none
   */
  public static Granularity parse(String label) {
    for (Granularity granularity : values()) {
      if (granularity.label.equals(label)) {
        return granularity;
      }
    }
    throw new IllegalArgumentException(
        "\"" + label + "\" is not a granularity: expected persistency or store");
  }
}
