// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

/** The names of crash-state policies in reports. */
public final class PolicyName {
  private PolicyName() {}

  /**
   * The name that reports show.
   *
   * @param logged as the logs of a run have it, which may be a former name
   */
  public static String of(String logged) {
    return switch (logged) {
      case "guaranteed" -> "persisted-only";
      case "one-line-early" -> "early-eviction";
      default -> logged;
    };
  }
}
