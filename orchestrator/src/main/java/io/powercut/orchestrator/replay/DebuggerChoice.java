// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

/** Whether a replay opens gdb, and in what. */
public enum DebuggerChoice {
  /** No debugger: the oracle judges the image. */
  NONE,
  /** In the recovery, on the image. */
  RECOVERY,
  /** In the target, standing at the failure point. */
  TARGET
}
