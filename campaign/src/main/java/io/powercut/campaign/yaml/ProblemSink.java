// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

/** Takes mistakes as they are found, so that all of them can be reported together. */
@FunctionalInterface
public interface ProblemSink {
  /**
   * Notes a mistake.
   *
   * @param key its path, such as {@code target.timeout} or {@code recovery.0.name}; empty for the
   *     file as a whole
   * @param message what is wrong, with the value and the remedy
   */
  void report(Origin origin, String key, String message);
}
