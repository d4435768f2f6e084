// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

/** Where the differences between both ways of injection come from. */
public enum Origin {
  /** There are none. */
  NOWHERE,
  /** Two executions of the target differ, so both ways may be right. */
  TARGET,
  /** Recovery gave different verdicts on equal images. */
  RECOVERY,
  /** Nothing says that the target varies, so one of the ways is wrong. */
  POWERCUT
}
